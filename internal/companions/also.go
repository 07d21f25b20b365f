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
	resp, _, err := c.Do(req)
	if err != nil {
		return err
	}
	return expect(resp.StatusCode == http.StatusInternalServerError, resp, Faulty)
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
	resp, body, err := c.Do(req)
	if err != nil {
		return err
	}
	ok := resp.StatusCode == http.StatusOK && strings.Contains(body, "from a page") && allows(resp)
	if err := expect(ok, resp, "a page calls"); err != nil {
		return err
	}
	exposed := listed(resp, "Access-Control-Expose-Headers")
	for _, name := range c.Server.ResponseHeaders() {
		if err := expect(slices.Contains(exposed, strings.ToLower(name)), resp, name+" is exposed"); err != nil {
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
	resp, _, err := c.Do(req)
	if err != nil {
		return err
	}
	ok := resp.StatusCode/100 == 2 && allows(resp) && slices.Contains(listed(resp, "Access-Control-Allow-Methods"), "post")
	if err := expect(ok, resp, "a preflight"); err != nil {
		return err
	}
	allowed := listed(resp, "Access-Control-Allow-Headers")
	for _, name := range names {
		if err := expect(slices.Contains(allowed, name), resp, name+" is allowed"); err != nil {
			return err
		}
	}
	return nil
}

func allows(resp *http.Response) bool {
	return resp.Header.Get("Access-Control-Allow-Origin") == Origin
}

// listed are the elements of a list in header fields, in lower case.
func listed(resp *http.Response, name string) []string {
	var elements []string
	for value := range strings.SplitSeq(strings.Join(resp.Header.Values(name), ","), ",") {
		elements = append(elements, strings.ToLower(strings.TrimSpace(value)))
	}
	return elements
}

func expect(ok bool, resp *http.Response, what string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: it does not: status %d, header %v", what, resp.StatusCode, resp.Header)
}
