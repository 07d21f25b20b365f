package main

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/parleymcp/parley/core"
)

// contentTools return each kind of content, an error, and progress.
var contentTools = []core.Feature{
	core.NewTool("test_simple_text", "Returns a text.",
		func(context.Context, *core.Event, core.NoInput) (string, error) {
			return "This is a simple text response for testing.", nil
		}),
	core.NewTool("test_image_content", "Returns a picture.",
		func(context.Context, *core.Event, core.NoInput) (core.Content, error) {
			return core.Image("image/png", pixel), nil
		}),
	core.NewTool("test_audio_content", "Returns a sound.",
		func(context.Context, *core.Event, core.NoInput) (core.Content, error) {
			return core.Audio("audio/wav", silence), nil
		}),
	core.NewTool("test_embedded_resource", "Returns a resource within the result.",
		func(context.Context, *core.Event, core.NoInput) (core.Content, error) {
			return core.Embedded(core.ResourceContents{
				URI: "test://embedded-resource", MIMEType: "text/plain",
				Text: "This is an embedded resource content.",
			}), nil
		}),
	core.NewTool("test_multiple_content_types", "Returns a text, a picture and a resource.",
		func(context.Context, *core.Event, core.NoInput) ([]core.Content, error) {
			return []core.Content{
				core.Text("Multiple content types test:"),
				core.Image("image/png", pixel),
				core.Embedded(core.ResourceContents{
					URI: "test://mixed-content-resource", MIMEType: "application/json",
					Text: `{"test":"data","value":123}`,
				}),
			}, nil
		}),
	core.NewTool("test_error_handling", "Fails.",
		func(context.Context, *core.Event, core.NoInput) (string, error) {
			return "", errors.New("This tool intentionally returns an error for testing") //nolint:staticcheck // the model reads it as it is
		}),
	core.NewTool("test_tool_with_progress", "Says how far it is.",
		func(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			ev.Progress(0, 100, "Started")
			if err := pause(ctx, 50*time.Millisecond); err != nil {
				return "", err
			}
			ev.Progress(50, 100, "Halfway")
			if err := pause(ctx, 50*time.Millisecond); err != nil {
				return "", err
			}
			ev.Progress(100, 100, "Done")
			return "Tool with progress executed successfully.", nil
		}),
}

// pixel is a PNG of one pixel, silence a WAV without a sample.
var (
	pixel = decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")

	silence = decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")
)

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// pause waits, unless the client goes away meanwhile.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
