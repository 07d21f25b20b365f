package companions

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Also is something else to look at while an application listens.
type Also func(ctx context.Context, c *Client) error

// Faulty is a route of an application's own whose handler panics.
const Faulty = "/faulty"

// Recovers looks at whether it is answered all the same, with 500.
func Recovers(ctx context.Context, c *Client) error {
	req, err := c.Request(ctx, http.MethodGet, Faulty, nil)
	if err != nil {
		return err
	}
	reply, err := c.Do(req)
	if err != nil {
		return err
	}
	return expect(reply.Status == http.StatusInternalServerError, reply, Faulty)
}

// Pages looks at what the web pages of [Origin] may do: every header that the
// server wants, and those that it answers with.
func Pages(ctx context.Context, c *Client) error {
	if err := preflight(ctx, c); err != nil {
		return err
	}
	req, err := c.Call(ctx, "from a page")
	if err != nil {
		return err
	}
	req.Header.Set("Origin", Origin)
	reply, err := c.Do(req)
	if err != nil {
		return err
	}
	ok := reply.Status == http.StatusOK && strings.Contains(reply.Body, "from a page") && allows(reply)
	if err := expect(ok, reply, "a page calls"); err != nil {
		return err
	}
	exposed := listed(reply, "Access-Control-Expose-Headers")
	for _, name := range c.Server.ResponseHeaders() {
		if err := expect(slices.Contains(exposed, strings.ToLower(name)), reply, name+" is exposed"); err != nil {
			return err
		}
	}
	return nil
}

// preflight asks as a browser does before it lets a page call.
func preflight(ctx context.Context, c *Client) error {
	req, err := c.Request(ctx, http.MethodOptions, Path, nil)
	if err != nil {
		return err
	}
	var names []string // in lower case and sorted: Fetch, CORS-unsafe request-header names
	for _, name := range c.Server.RequestHeaders() {
		names = append(names, strings.ToLower(name))
	}
	slices.Sort(names)
	req.Header.Set("Origin", Origin)
	req.Header.Set("Access-Control-Request-Method", http.MethodPost)
	req.Header.Set("Access-Control-Request-Headers", strings.Join(names, ","))
	reply, err := c.Do(req)
	if err != nil {
		return err
	}
	ok := reply.Status/100 == 2 && allows(reply) && slices.Contains(listed(reply, "Access-Control-Allow-Methods"), "post")
	if err := expect(ok, reply, "a preflight"); err != nil {
		return err
	}
	allowed := listed(reply, "Access-Control-Allow-Headers")
	for _, name := range names {
		if err := expect(slices.Contains(allowed, name), reply, name+" is allowed"); err != nil {
			return err
		}
	}
	return nil
}

func allows(reply Reply) bool {
	return reply.Header.Get("Access-Control-Allow-Origin") == Origin
}

// listed are the elements of a list in header fields, in lower case.
func listed(reply Reply, name string) []string {
	var elements []string
	for value := range strings.SplitSeq(strings.Join(reply.Header.Values(name), ","), ",") {
		elements = append(elements, strings.ToLower(strings.TrimSpace(value)))
	}
	return elements
}

func expect(ok bool, reply Reply, what string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: it does not: status %d, header %v", what, reply.Status, reply.Header)
}
