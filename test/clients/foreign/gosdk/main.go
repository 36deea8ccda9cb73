// Command gosdk is one session of the official Go client: it lists, calls, hears, answers and
// cancels, and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type wrongAnswer struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Vendor    map[string]any `json:"vendor"`
}

func main() {
	mode, url := os.Args[1], os.Args[2]
	var answers []wrongAnswer
	if err := json.NewDecoder(os.Stdin).Decode(&answers); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	progress := make(chan float64, 16)
	client := mcp.NewClient(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			name := "Ada, asked: " + request.Params.Message
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": name}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			// Calls of vendors report progress too, and nobody waits for that.
			select {
			case progress <- request.Params.Progress:
			default:
			}
		},
	})
	options := &mcp.ClientSessionOptions{}
	if mode == "legacy" {
		options.ProtocolVersion = "2025-11-25"
	}
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, options)
	if err != nil {
		log.Fatal(err)
	}
	seen := map[string]any{"version": session.InitializeResult().ProtocolVersion}

	tools := 0
	for _, err := range session.Tools(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		tools++
	}
	seen["tools"] = tools

	call := func(ctx context.Context, name string, arguments map[string]any) (any, error) {
		params := &mcp.CallToolParams{Name: name, Arguments: arguments}
		params.SetProgressToken(name)
		result, err := session.CallTool(ctx, params)
		if err != nil {
			return nil, err
		}
		if result.IsError {
			return nil, fmt.Errorf("%v", result.StructuredContent)
		}
		return result.StructuredContent, nil
	}
	must := func(name string, arguments map[string]any) any {
		content, err := call(ctx, name, arguments)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		return content
	}

	seen["echo"] = must("test_echo", map[string]any{"text": "grüße"})

	counted := make(chan error)
	go func() {
		_, err := call(ctx, "test_counting", map[string]any{})
		counted <- err
	}()
	heard := []float64{<-progress, <-progress, <-progress}
	must("test_heard", map[string]any{})
	if err := <-counted; err != nil {
		log.Fatal(err)
	}
	seen["progress"] = heard

	seen["elicited"] = must("test_asking", map[string]any{})

	leaving, cancel := context.WithCancel(ctx)
	left := make(chan error)
	go func() {
		_, err := call(leaving, "test_waiting", map[string]any{})
		left <- err
	}()
	<-progress
	cancel()
	seen["cancelled"] = errors.Is(<-left, context.Canceled)
	seen["afterwards"] = must("test_echo", map[string]any{"text": "still here"})

	refused := []string{}
	for _, answer := range answers {
		must("test_vendor", answer.Vendor)
		// That a tool fails is an answer, too: what counts is that the client takes it.
		params := &mcp.CallToolParams{Name: answer.Tool, Arguments: answer.Arguments}
		if _, err := session.CallTool(ctx, params); err != nil {
			refused = append(refused, answer.Tool+": "+err.Error())
		}
	}
	seen["refused"] = refused
	session.Close()
	if err := json.NewEncoder(os.Stdout).Encode(seen); err != nil {
		log.Fatal(err)
	}
}
