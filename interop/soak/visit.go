package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/parleymcp/parley/interop/contest"
)

// visitor is one client, which does everything by turns.
type visitor struct {
	addr     string
	client   *http.Client
	requests *atomic.Int64
}

// visit sends until stop, and holds pause for reading meanwhile.
func visit(addr string, requests *atomic.Int64, pause *sync.RWMutex, stop <-chan struct{}) error {
	v := visitor{addr, &http.Client{Transport: &http.Transport{}}, requests}
	broken := contest.Small()
	broken.Body = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":7,}}}`)
	unknown := contest.Small()
	unknown.Header = unknown.Header.Clone()
	unknown.Header.Set("Mcp-Name", "nobody")
	unknown.Body = bytes.Replace(unknown.Body, []byte(`"name":"echo"`), []byte(`"name":"nobody"`), 1)
	unknown.Want = "Unknown tool"
	plain := []contest.Call{
		contest.Small(), contest.Ten(), contest.Structured(), contest.List(10),
		contest.Sized("ascii", 64<<10), contest.Sized("tree", 64<<10),
	}
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		if err := v.round(pause, plain, &broken, &unknown); err != nil {
			return err
		}
	}
}

// round is one request of each kind.
func (v *visitor) round(pause *sync.RWMutex, plain []contest.Call, broken, unknown *contest.Call) error {
	pause.RLock()
	defer pause.RUnlock()
	for i := range plain {
		if _, err := v.send(context.Background(), &plain[i], http.StatusOK); err != nil {
			return err
		}
	}
	_, err1 := v.send(context.Background(), broken, http.StatusBadRequest)
	_, err2 := v.send(context.Background(), unknown, http.StatusOK)
	return errors.Join(err1, err2, v.ask(), v.listen())
}

// send sends a call and returns the answer.
func (v *visitor) send(ctx context.Context, c *contest.Call, status int) ([]byte, error) {
	v.requests.Add(1)
	resp, err := v.open(ctx, c)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != status || status == http.StatusOK && !bytes.Contains(body, []byte(c.Want))) {
		err = fmt.Errorf("soak: %s: %s %.200s", c.Name, resp.Status, body)
	}
	return body, err
}

func (v *visitor) open(ctx context.Context, c *contest.Call) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+v.addr+"/mcp", bytes.NewReader(c.Body))
	if err != nil {
		return nil, err
	}
	req.Header = c.Header
	return v.client.Do(req)
}

// ask goes through a call that is answered with a question.
func (v *visitor) ask() error {
	first := contest.Interim()
	body, err := v.send(context.Background(), &first, http.StatusOK)
	if err != nil {
		return err
	}
	var told contest.Asked
	if err := json.Unmarshal(body, &told); err != nil {
		return err
	}
	second := contest.Answering(first, "name", told)
	second.Want = `hello, Ada`
	_, err = v.send(context.Background(), &second, http.StatusOK)
	return err
}

// listen opens a stream, reads its greeting and leaves.
func (v *visitor) listen() error {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	c := contest.Listen()
	resp, err := v.open(ctx, &c)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	v.requests.Add(1)
	_, err = io.ReadFull(resp.Body, make([]byte, 32))
	return err
}
