// Checks a log over HTTP with the transparency log of the Go project: checkpoint (note), tiles,
// entries, inclusion and consistency proofs (tlog).
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type server struct{ base string }

func (s server) get(path string) ([]byte, error) {
	answer, err := http.Get(s.base + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != 200 {
		return nil, fmt.Errorf("GET %s: %d %s", path, answer.StatusCode, body)
	}
	return body, nil
}

// The tiles of the log, in the layout of C2SP tlog-tiles, which leaves the height out.
func (s server) Height() int { return 8 }

func (s server) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, tile := range tiles {
		body, err := s.get("/audit/tile/" + strings.TrimPrefix(tile.Path(), "tile/8/"))
		if err != nil {
			return nil, err
		}
		data = append(data, body)
	}
	return data, nil
}

func (s server) SaveTiles([]tlog.Tile, [][]byte) {}

// parseCheckpoint opens a checkpoint that every one of the verifiers has to have signed.
func parseCheckpoint(message []byte, verifiers []note.Verifier) (tlog.Tree, error) {
	var tree tlog.Tree
	signed, err := note.Open(message, note.VerifierList(verifiers...))
	if err != nil {
		return tree, err
	}
	if len(signed.Sigs) != len(verifiers) {
		return tree, fmt.Errorf("%d of %d keys have signed the note", len(signed.Sigs), len(verifiers))
	}
	lines := strings.Split(signed.Text, "\n")
	if len(lines) != 4 || lines[0] != verifiers[0].Name() {
		return tree, fmt.Errorf("malformed checkpoint %q", signed.Text)
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, err
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

// entries reads all bundles: each entry stands after its length in two bytes.
func (s server) entries(size int64) ([][]byte, error) {
	var all [][]byte
	for index := int64(0); index*256 < size; index++ {
		tile := tlog.Tile{H: 8, L: 0, N: index, W: int(min(256, size-index*256))}
		path := "/audit/tile/entries/" + strings.TrimPrefix(tile.Path(), "tile/8/0/")
		bundle, err := s.get(path)
		if err != nil {
			return nil, err
		}
		for len(bundle) > 0 {
			length := int(binary.BigEndian.Uint16(bundle))
			all = append(all, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
	}
	if int64(len(all)) != size {
		return nil, fmt.Errorf("%d entries in the bundles of a log of %d", len(all), size)
	}
	return all, nil
}

func (s server) checkInclusion(seq int64, leaf tlog.Hash, query string, verifiers []note.Verifier) error {
	text, err := s.get(fmt.Sprintf("/audit/proof/%d%s", seq, query))
	if err != nil {
		return err
	}
	head, checkpoint, found := strings.Cut(string(text), "\n\n")
	if !found {
		return fmt.Errorf("proof of %d without a checkpoint", seq)
	}
	tree, err := parseCheckpoint([]byte(checkpoint), verifiers)
	if err != nil {
		return err
	}
	lines := strings.Split(head, "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" {
		return fmt.Errorf("proof of %d begins with %q", seq, lines[0])
	}
	lines = lines[1:]
	if strings.HasPrefix(lines[0], "extra ") {
		lines = lines[1:]
	}
	if lines[0] != fmt.Sprintf("index %d", seq) {
		return fmt.Errorf("proof of %d says %q", seq, lines[0])
	}
	proof, err := hashes(lines[1:])
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, tree.N, tree.Hash, seq, leaf)
}

func (s server) checkConsistency(from int64, tree tlog.Tree, reader tlog.HashReader) error {
	text, err := s.get(fmt.Sprintf("/audit/consistency?from=%d&to=%d", from, tree.N))
	if err != nil {
		return err
	}
	proof, err := hashes(strings.Fields(string(text)))
	if err != nil {
		return err
	}
	old, err := tlog.TreeHash(from, reader)
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, tree.N, tree.Hash, from, old)
}

func hashes(lines []string) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, line := range lines {
		bytes, err := base64.StdEncoding.DecodeString(line)
		if err != nil || len(bytes) != tlog.HashSize {
			return nil, fmt.Errorf("%q is no hash", line)
		}
		all = append(all, tlog.Hash(bytes))
	}
	return all, nil
}

func parseVerifiers(vkeys []string) ([]note.Verifier, error) {
	var verifiers []note.Verifier
	for _, vkey := range vkeys {
		verifier, err := note.NewVerifier(vkey)
		if err != nil {
			return nil, err
		}
		verifiers = append(verifiers, verifier)
	}
	return verifiers, nil
}

// checkProofs checks the proofs of the first entries against the checkpoint of their number.
func checkProofs(log server, size int64, verifiers []note.Verifier) error {
	entries, err := log.entries(size)
	if err != nil {
		return err
	}
	for seq, entry := range entries {
		query := fmt.Sprintf("?size=%d", size)
		if err := log.checkInclusion(int64(seq), tlog.RecordHash(entry), query, verifiers); err != nil {
			return fmt.Errorf("inclusion of %d in %d: %w", seq, size, err)
		}
	}
	fmt.Printf("%d proofs verified\n", size)
	return nil
}

func check(log server, verifiers []note.Verifier) error {
	message, err := log.get("/audit/checkpoint")
	if err != nil {
		return err
	}
	tree, err := parseCheckpoint(message, verifiers)
	if err != nil {
		return err
	}
	entries, err := log.entries(tree.N)
	if err != nil {
		return err
	}
	// The reader itself proves each tile to belong to the tree.
	reader := tlog.TileHashReader(tree, log)
	for seq, entry := range entries {
		leaf := tlog.RecordHash(entry)
		stored, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, int64(seq))})
		if err != nil {
			return err
		}
		if stored[0] != leaf {
			return fmt.Errorf("entry %d is not the leaf of the tree", seq)
		}
		if err := log.checkInclusion(int64(seq), leaf, "", verifiers); err != nil {
			return fmt.Errorf("inclusion of %d: %w", seq, err)
		}
		if err := log.checkConsistency(int64(seq)+1, tree, reader); err != nil {
			return fmt.Errorf("consistency from %d: %w", seq+1, err)
		}
	}
	fmt.Printf("%d entries, checkpoint, tiles, inclusion and consistency proofs verified\n", tree.N)
	return nil
}

// run takes the address of a server and verifier keys of its log, before them perhaps the size of an
// older checkpoint, whose proofs alone are checked then.
func run(base string, words []string) error {
	size, err := strconv.ParseInt(words[0], 10, 64)
	if err == nil {
		words = words[1:]
	}
	verifiers, problem := parseVerifiers(words)
	if problem != nil {
		return problem
	}
	if err == nil {
		return checkProofs(server{base}, size, verifiers)
	}
	return check(server{base}, verifiers)
}

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
