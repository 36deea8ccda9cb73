// Checks witness and client with programs of others: the note of the Go project, the cosignatures of
// transparency-dev/formats, and a Tessera log that has its checkpoints cosigned.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	cosignature "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// checkCosigned opens the checkpoint at an address with the keys of its log and of its witness.
func checkCosigned(address, logKey, witnessKey string) error {
	log, err := note.NewVerifier(logKey)
	if err != nil {
		return err
	}
	witness, err := cosignature.NewVerifierForCosignatureV1(witnessKey)
	if err != nil {
		return err
	}
	answer, err := http.Get(address)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	opened, err := note.Open(body, note.VerifierList(log, witness))
	if err != nil {
		return err
	}
	if len(opened.Sigs) != 2 {
		return fmt.Errorf("%d signatures verify in %q", len(opened.Sigs), body)
	}
	fmt.Printf("%s and %s have signed\n", opened.Sigs[0].Name, opened.Sigs[1].Name)
	return nil
}

// runLog adds entries to a Tessera log, which publishes no checkpoint that its witness has not cosigned.
func runLog(folder, signerKey, witnessURL, witnessKey string, entries int) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	signer, err := note.NewSigner(signerKey)
	if err != nil {
		return err
	}
	address, err := url.Parse(witnessURL)
	if err != nil {
		return err
	}
	witness, err := tessera.NewWitness(witnessKey, address)
	if err != nil {
		return err
	}
	driver, err := posix.New(ctx, posix.Config{Path: folder})
	if err != nil {
		return err
	}
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithCheckpointInterval(100*time.Millisecond).
		WithBatching(1, 10*time.Millisecond).
		WithWitnesses(tessera.NewWitnessGroup(1, witness), nil)
	appender, shutdown, reader, err := tessera.NewAppender(ctx, driver, options)
	if err != nil {
		return err
	}
	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, 20*time.Millisecond)
	var checkpoint []byte
	for entry := range entries {
		added := appender.Add(ctx, tessera.NewEntry(fmt.Appendf(nil, "entry %d", entry)))
		if _, checkpoint, err = awaiter.Await(ctx, added); err != nil {
			return err
		}
	}
	if err := shutdown(ctx); err != nil {
		return err
	}
	opened, err := note.Open(checkpoint, note.VerifierList(witness.Key))
	if err != nil {
		return err
	}
	size := strings.Split(opened.Text, "\n")[1]
	fmt.Printf("%s entries are cosigned by %s\n", size, opened.Sigs[0].Name)
	return nil
}

// witness cosigns one log (C2SP tlog-witness) with the tree and the notes of the Go project.
type witness struct {
	mutex  sync.Mutex
	log    note.Verifier
	signer note.Signer
	held   tlog.Tree
}

func (w *witness) addCheckpoint(answer http.ResponseWriter, request *http.Request) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	old, proof, message, err := parseRequest(request.Body)
	if err != nil {
		http.Error(answer, err.Error(), http.StatusBadRequest)
		return
	}
	opened, err := note.Open(message, note.VerifierList(w.log))
	if err != nil {
		http.Error(answer, err.Error(), http.StatusForbidden)
		return
	}
	tree, err := parseTree(opened.Text)
	if err != nil || old > tree.N {
		http.Error(answer, "malformed", http.StatusBadRequest)
		return
	}
	if old != w.held.N {
		answer.Header().Set("Content-Type", "text/x.tlog.size")
		answer.WriteHeader(http.StatusConflict)
		fmt.Fprintf(answer, "%d\n", w.held.N)
		return
	}
	if old > 0 {
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, old, w.held.Hash); err != nil {
			http.Error(answer, err.Error(), http.StatusUnprocessableEntity)
			return
		}
	}
	signed, err := note.Sign(&note.Note{Text: opened.Text}, w.signer)
	if err != nil {
		http.Error(answer, err.Error(), http.StatusInternalServerError)
		return
	}
	w.held = tree
	answer.Write(signed[len(opened.Text)+1:])
}

func parseRequest(body io.Reader) (old int64, proof []tlog.Hash, message []byte, err error) {
	reader := bufio.NewReader(body)
	first, err := reader.ReadString('\n')
	if err != nil {
		return
	}
	size, found := strings.CutPrefix(strings.TrimSuffix(first, "\n"), "old ")
	if !found {
		err = fmt.Errorf("%q is no old size", first)
		return
	}
	if old, err = strconv.ParseInt(size, 10, 64); err != nil {
		return
	}
	for {
		var line string
		if line, err = reader.ReadString('\n'); err != nil {
			return
		}
		if line == "\n" {
			break
		}
		var hash tlog.Hash
		if hash, err = tlog.ParseHash(strings.TrimSuffix(line, "\n")); err != nil {
			return
		}
		proof = append(proof, hash)
	}
	message, err = io.ReadAll(reader)
	return
}

func parseTree(text string) (tree tlog.Tree, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return tree, fmt.Errorf("malformed checkpoint %q", text)
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, err
	}
	hash, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(hash) != tlog.HashSize {
		return tree, fmt.Errorf("malformed root %q", lines[2])
	}
	tree.Hash = tlog.Hash(hash)
	return tree, nil
}

// serveWitness says where it listens and serves until it is ended.
func serveWitness(logKey, signerKey string) error {
	log, err := note.NewVerifier(logKey)
	if err != nil {
		return err
	}
	signer, err := cosignature.NewSignerForCosignatureV1(signerKey)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	w := &witness{log: log, signer: signer}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add-checkpoint", w.addCheckpoint)
	fmt.Printf("http://%s\n", listener.Addr())
	return http.Serve(listener, mux)
}

func run(arguments []string) error {
	switch command := arguments[0]; command {
	case "cosigned":
		return checkCosigned(arguments[1], arguments[2], arguments[3])
	case "log":
		entries, err := strconv.Atoi(arguments[5])
		if err != nil {
			return err
		}
		return runLog(arguments[1], arguments[2], arguments[3], arguments[4], entries)
	case "witness":
		return serveWitness(arguments[1], arguments[2])
	default:
		return fmt.Errorf("there is no %s", command)
	}
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
