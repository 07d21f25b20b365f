package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"sync"
	"time"

	"github.com/parleymcp/parley/interop/contest"
	"github.com/parleymcp/parley/interop/report"
)

// sample is what one turn of a contestant came to.
type sample struct {
	perSecond   float64
	median, p99 float64 // microseconds
	processor   float64 // of the server, microseconds a request
}

// load sends the call on so many connections for a while. The connections are
// opened before.
func load(srv *server, c *contest.Call, connections int, turn time.Duration) (sample, error) {
	clients := make([]*client, connections)
	for i := range clients {
		var err error
		if clients[i], err = dial(srv.addr, c); err != nil {
			return sample{}, err
		}
		defer clients[i].conn.Close()
	}
	var all sync.WaitGroup
	errs := make([]error, connections)
	used := srv.processor()
	began := time.Now()
	for i, cl := range clients {
		all.Go(func() { errs[i] = cl.until(began.Add(turn)) })
	}
	all.Wait()
	took := time.Since(began)
	used = srv.processor() - used
	var times []float64
	for _, cl := range clients {
		times = append(times, cl.times...)
	}
	return sample{
		perSecond: float64(len(times)) / took.Seconds(),
		median:    report.Median(times), p99: report.Percentile(times, 99),
		processor: used / 1000 / float64(max(len(times), 1)),
	}, errors.Join(errs...)
}

// client is one keep-alive connection.
type client struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte
	want    []byte
	body    []byte
	times   []float64 // of requests, microseconds
}

func dial(addr string, c *contest.Call) (*client, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	var request bytes.Buffer
	fmt.Fprintf(&request, "POST /mcp HTTP/1.1\r\nHost: %s\r\n", addr)
	if err := c.Header.Write(&request); err != nil {
		return nil, err
	}
	request.WriteString("\r\n")
	request.Write(c.Body)
	cl := &client{conn: conn, reader: bufio.NewReader(conn), request: request.Bytes(), want: []byte(c.Want)}
	return cl, cl.once() // not counted
}

func (cl *client) until(end time.Time) error {
	for began := time.Now(); began.Before(end); {
		if err := cl.once(); err != nil {
			return err
		}
		now := time.Now()
		cl.times = append(cl.times, float64(now.Sub(began))/1000)
		began = now
	}
	return nil
}

// once sends the request and reads the answer, which all contestants give with
// its length.
func (cl *client) once() error {
	if _, err := cl.conn.Write(cl.request); err != nil {
		return err
	}
	status, err := cl.reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("load: %s", bytes.TrimSpace(status))
	}
	length := -1
	for {
		line, err := cl.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = textproto.TrimBytes(line)
		if len(line) == 0 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(":")); len(name) == len("Content-Length") && bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(textproto.TrimBytes(value))); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("load: an answer without a length")
	}
	if cap(cl.body) < length {
		cl.body = make([]byte, length)
	}
	cl.body = cl.body[:length]
	if _, err := io.ReadFull(cl.reader, cl.body); err != nil {
		return err
	}
	if !bytes.Contains(cl.body, cl.want) {
		return fmt.Errorf("load: got %.200s", cl.body)
	}
	return nil
}
