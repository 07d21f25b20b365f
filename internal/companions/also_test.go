package companions_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/parleymcp/parley/internal/companions"
)

func unexpected(resp *http.Response, what string) error {
	return fmt.Errorf("%s: status %d, header %v", what, resp.StatusCode, resp.Header)
}

// listed are the elements of a list in header fields, in lower case.
func listed(values []string) []string {
	var elements []string
	for value := range strings.SplitSeq(strings.Join(values, ","), ",") {
		elements = append(elements, strings.ToLower(strings.TrimSpace(value)))
	}
	return elements
}

// faulty is a route of the application's own, whose handler panics.
const faulty = "/faulty"

// recovers looks at whether it is answered all the same.
func recovers(ctx context.Context, c *companions.Client) error {
	req, err := c.Request(ctx, http.MethodGet, faulty, nil)
	if err != nil {
		return err
	}
	resp, _, err := c.Do(req)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusInternalServerError {
		return unexpected(resp, faulty)
	}
	return nil
}
