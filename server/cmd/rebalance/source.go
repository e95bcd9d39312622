package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
	"rebalancelab/engine/session"
	"rebalancelab/engine/wire"
	"rebalancelab/server/link"
)

// source is a scenario that a command line names, opened.
type source struct {
	name    string // for messages
	link    *link.Link
	session *session.Session
}

// open reads a file, a link, or standard input ("-").
func open(arg string, stdin io.Reader) (*source, error) {
	s := &source{name: arg}
	text, err := s.read(arg, stdin)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	opened, diagnostics := session.Open(text)
	if opened == nil {
		return nil, &exitError{exitUsage, diagnosed(s.name, diagnostics)}
	}
	s.session = opened
	return s, nil
}

func (s *source) read(arg string, stdin io.Reader) (string, error) {
	if arg == "-" {
		s.name = "stdin"
		text, err := io.ReadAll(io.LimitReader(stdin, script.MaxBytes+1))
		return string(text), err
	}
	if strings.Contains(arg, "#") {
		l, err := link.Parse(arg)
		if err == nil {
			s.name, s.link = "link", l
			return l.Script, nil
		}
		if _, missing := os.Stat(arg); missing != nil {
			return "", err
		}
	}
	text, err := os.ReadFile(arg)
	return string(text), err
}

func (s *source) play() {
	for !s.session.Play(1, playBudget) {
	}
}

// moment is the time that the link opens at, -1 without one.
func (s *source) moment() clock.Time {
	if s.link == nil {
		return -1
	}
	return min(s.link.At, s.session.Branch(1).Scenario().End)
}

// digest is what a link says of the end of the run.
func (s *source) digest() string {
	return string(wire.AppendHex(nil, s.session.Branch(1).Head().Digest())[:link.DigestLength])
}

// verdict reports commands that could not be carried out, expectations that do
// not hold, and a run that is not the link's.
func (s *source) verdict() error {
	var lines []string
	code := exitExpectation
	for _, a := range s.session.Branch(1).Applied {
		if a.Err != "" {
			code = exitUsage
			lines = append(lines, fmt.Sprintf("%s:%d: at %s s: %s", s.name, a.Line, a.At, a.Err))
		}
	}
	for _, f := range s.session.Branch(1).Failures {
		lines = append(lines, fmt.Sprintf("%s:%d: expected %s=%s, got %s", s.name, f.Line, f.Field, f.Expected, f.Got))
	}
	if done := s.session.Branch(1).Done(); done && s.link != nil && s.link.Digest != "" && s.link.Digest != s.digest() {
		lines = append(lines, fmt.Sprintf("the link was made of a run with the digest %s; here it ends with %s: another version of the engine, or a changed link", s.link.Digest, s.digest()))
	}
	if len(lines) == 0 {
		return nil
	}
	return &exitError{code, errors.New(strings.Join(lines, "\n"))}
}

// diagnosed is one line for each fault: file:line:column: message.
func diagnosed(name string, diagnostics []script.Diagnostic) error {
	lines := make([]string, len(diagnostics))
	for i, d := range diagnostics {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", name, d.Line, d.Column, d.Message)
	}
	return errors.New(strings.Join(lines, "\n"))
}
