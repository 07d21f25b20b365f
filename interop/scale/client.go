package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/parleymcp/parley/interop/contest"
)

// listeners are open streams, each read by a goroutine until it ends.
type listeners struct {
	opened, told, over sync.WaitGroup

	mu     sync.Mutex
	failed error
	conns  []net.Conn
}

// open opens n streams, some at a time, and waits for the first event of all.
func (l *listeners) open(addr string, n int) error {
	call := contest.Listen()
	var request bytes.Buffer
	fmt.Fprintf(&request, "POST /mcp HTTP/1.1\r\nHost: %s\r\n", addr)
	if err := call.Header.Write(&request); err != nil {
		return err
	}
	request.WriteString("\r\n")
	request.Write(call.Body)
	l.opened.Add(n)
	l.told.Add(n)
	for i := range n {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return fmt.Errorf("scale: stream %d: %w", i, err)
		}
		l.conns = append(l.conns, conn)
		if _, err := conn.Write(request.Bytes()); err != nil {
			return err
		}
		l.over.Go(func() { l.follow(conn) })
	}
	l.opened.Wait()
	return l.err()
}

// follow reads the greeting, the change and the end.
func (l *listeners) follow(conn net.Conn) {
	r := bufio.NewReaderSize(conn, 512)
	l.await(r, "data: ")
	l.opened.Done()
	l.await(r, "list_changed")
	l.told.Done()
	l.await(r, "result")
}

func (l *listeners) await(r *bufio.Reader, text string) {
	for {
		line, err := r.ReadString('\n')
		if strings.Contains(line, text) && strings.HasPrefix(line, "data: ") {
			return
		}
		if err != nil {
			l.mu.Lock()
			l.failed = errors.Join(l.failed, fmt.Errorf("scale: waiting for %s: %w", text, err))
			l.mu.Unlock()
			return
		}
	}
}

func (l *listeners) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// waited is how long what f begins takes until all have it.
func waited(all *sync.WaitGroup, f func() error) (time.Duration, error) {
	began := time.Now()
	done := make(chan time.Duration, 1)
	go func() {
		all.Wait()
		done <- time.Since(began)
	}()
	if err := f(); err != nil {
		return 0, err
	}
	select {
	case took := <-done:
		return took, nil
	case <-time.After(time.Minute):
		return 0, errors.New("scale: not all have heard of it within a minute")
	}
}

func (l *listeners) close() {
	for _, conn := range l.conns {
		_ = conn.Close()
	}
}
