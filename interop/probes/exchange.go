package probes

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// patience is how long any answer may take.
const patience = 20 * time.Second

// send sends a request on a connection of its own and reads all that comes
// back.
func (t *trial) send(r *request) *reply { return t.sendBytes(r.bytes()) }

func (t *trial) sendBytes(data string) *reply {
	s := t.openBytes(data)
	defer s.close()
	return s.rest()
}

// sendOn is sendBytes on a connection that there is; it is closed.
func (t *trial) sendOn(conn net.Conn, data string) *reply {
	s := t.openOn(conn, data)
	defer s.close()
	return s.rest()
}

// stream is a response that is being read.
type stream struct {
	conn  net.Conn
	reply *reply
	body  *bufio.Reader
	stop  func() bool
}

// open sends a request and reads the head of what comes back.
func (t *trial) open(r *request) *stream { return t.openBytes(r.bytes()) }

func (t *trial) openBytes(data string) *stream {
	conn, err := t.dial()
	if err != nil {
		return &stream{reply: &reply{header: http.Header{}, err: err}, stop: func() bool { return true }}
	}
	return t.openOn(conn, data)
}

func (t *trial) openOn(conn net.Conn, data string) *stream {
	s := &stream{conn: conn, reply: &reply{header: http.Header{}}}
	s.stop = context.AfterFunc(t.ctx, func() { _ = conn.Close() })
	// A connection that is closed already says so when it is read.
	_ = s.conn.SetDeadline(time.Now().Add(patience))
	// A server may answer before it has read everything.
	go func() { _, _ = io.WriteString(s.conn, data) }()
	resp, err := http.ReadResponse(bufio.NewReader(s.conn), &http.Request{Method: verb(data)}) //nolint:bodyclose // it ends with the connection
	if err != nil {
		s.reply.err = err
		return s
	}
	s.reply.status, s.reply.header = resp.StatusCode, resp.Header
	s.body = bufio.NewReader(resp.Body)
	return s
}

// verb is the method that the data begin with, which decides whether there is
// a body in the answer.
func verb(data string) string {
	method, _, _ := strings.Cut(data, " ")
	return method
}

func (t *Target) dial() (net.Conn, error) {
	u, err := url.Parse(t.URL)
	if err != nil {
		return nil, err
	}
	return net.DialTimeout("tcp", u.Host, patience)
}

// rest reads the response to its end.
func (s *stream) rest() *reply {
	if s.body != nil {
		data, err := io.ReadAll(s.body)
		s.reply.body += string(data)
		s.reply.err = err
		s.reply.parse()
	}
	return s.reply
}

// event reads one event or comment, for as long as within says, and returns its
// lines.
func (s *stream) event(within time.Duration) (string, error) {
	if s.body == nil {
		return "", errors.Join(s.reply.err, errors.New("there is no stream"))
	}
	_ = s.conn.SetReadDeadline(time.Now().Add(within)) // as above
	var lines strings.Builder
	for {
		line, err := s.body.ReadString('\n')
		s.reply.body += line
		if err != nil {
			return lines.String(), err
		}
		if strings.TrimRight(line, "\r\n") == "" {
			_ = s.conn.SetReadDeadline(time.Now().Add(patience)) // as above
			return lines.String(), nil
		}
		lines.WriteString(line)
	}
}

func (s *stream) close() {
	s.stop()
	if s.conn != nil {
		_ = s.conn.Close() // nothing is left to lose
	}
}
