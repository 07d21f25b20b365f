package contest

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"
)

// What a handler written by hand reads of a call, and what it answers: the same
// members that a server has to send.
type (
	request[In any] struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  struct {
			Name      string `json:"name"`
			Arguments In     `json:"arguments"`
			Meta      struct {
				Version      string         `json:"io.modelcontextprotocol/protocolVersion"`
				Client       serverInfo     `json:"io.modelcontextprotocol/clientInfo"`
				Capabilities map[string]any `json:"io.modelcontextprotocol/clientCapabilities"`
			} `json:"_meta"`
		} `json:"params"`
	}
	response struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  result          `json:"result"`
	}
	result struct {
		Content    []text     `json:"content"`
		Structured any        `json:"structuredContent,omitempty"`
		Type       string     `json:"resultType"`
		Meta       resultMeta `json:"_meta"`
	}
	text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	resultMeta struct {
		Server serverInfo `json:"io.modelcontextprotocol/serverInfo"`
	}
	serverInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
)

// plain answers a call with the text of a tool.
func plain[In any](tool func(In) string) Answer {
	return func(body []byte) []byte {
		var in request[In]
		if err := json.Unmarshal(body, &in); err != nil {
			return nil
		}
		return answered(in.ID, tool(in.Params.Arguments), nil)
	}
}

func plainStructured(body []byte) []byte {
	var in request[CityIn]
	if err := json.Unmarshal(body, &in); err != nil {
		return nil
	}
	out := WeatherIn(in.Params.Arguments)
	asText, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return answered(in.ID, string(asText), out)
}

func answered(id json.RawMessage, said string, structured any) []byte {
	out, err := json.Marshal(response{JSONRPC: "2.0", ID: id, Result: result{
		Content: []text{{"text", said}}, Structured: structured, Type: "complete",
		Meta: resultMeta{serverInfo{"bench", "1.0.0"}},
	}})
	if err != nil {
		return nil
	}
	return out
}

// raw answers every call with the same bytes.
func raw(fixed []byte) Answer { return func([]byte) []byte { return fixed } }

// onNetHTTP is an answer written by hand on net/http.
func onNetHTTP(a Answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, r.ContentLength)
		if _, err := io.ReadFull(r.Body, body); err != nil {
			http.Error(w, "broken body", http.StatusBadRequest)
			return
		}
		answer := a(body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	}
}

func onChi(a Answer) http.Handler {
	r := chi.NewRouter()
	r.Post("/mcp", onNetHTTP(a))
	return r
}

func onGin(a Answer) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.POST("/mcp", func(c *gin.Context) {
		body := make([]byte, c.Request.ContentLength)
		if _, err := io.ReadFull(c.Request.Body, body); err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		c.Data(http.StatusOK, "application/json", a(body))
	})
	return r
}

func onFiber(a Answer) *fiber.App {
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Post("/mcp", func(c *fiber.Ctx) error {
		answer := a(c.Body())
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(answer)
	})
	return app
}
