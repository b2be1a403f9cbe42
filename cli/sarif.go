package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// The parts of SARIF 2.1.0 (OASIS, 2020) that a log of caulk's has; the
// sections are of that standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct { // 3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct { // 3.27
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Flows        []sarifFlow       `json:"codeFlows,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifFlow struct { // 3.36
		Threads []sarifThread `json:"threadFlows"`
	}
	sarifThread struct { // 3.37
		Locations []sarifStep `json:"locations"`
	}
	sarifStep struct { // 3.38
		Location sarifLocation `json:"location"`
	}
	sarifLocation struct { // 3.28
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct { // 3.29
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			Line int `json:"startLine"`
		} `json:"region"`
	}
)

// sarif is a report as a SARIF log. Each property that fails is an error, at
// the handler of the last move of its path; each pair that goes awry is a
// warning, at the handler that halts.
func sarif(r *explorer.Report, sys *model.System, at *places) ([]byte, error) {
	s := &sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: make([]sarifRun, 1)}
	run := &s.Runs[0]
	run.Tool.Driver = sarifDriver{Name: "caulk", Rules: []sarifRule{}}
	run.Results = []sarifResult{}
	panics := ""
	if v := r.Violation; v != nil && v.Property == noPanic {
		panics = firstLineOf(v.Reason)
		run.add(noPanic, "a handler does not panic", "error", panics, at.result(r, noPanic, v.Path))
	}
	for _, q := range r.Properties {
		switch {
		case q.Verdict == explorer.NotReached:
			run.add(q.Name, describeProperty(sys, q.Name), "error", fmt.Sprintf("%s: not reached in any of %s", q.Name, plural(r.States, "state")), at.result(r, q.Name, nil))
		case q.Verdict == explorer.Violated && r.Violation != nil && r.Violation.Property == q.Name:
			text := fmt.Sprintf("%s, after %s: %s", q.Name, length(r.Violation), firstLineOf(r.Violation.Reason))
			run.add(q.Name, describeProperty(sys, q.Name), "error", text, at.result(r, q.Name, r.Violation.Path))
		case q.Verdict == explorer.Violated:
			run.add(q.Name, describeProperty(sys, q.Name), "error", q.Name+" is violated, farther from the start than another property", at.result(r, q.Name, nil))
		}
	}
	if r.Awry != nil {
		for _, a := range *r.Awry {
			text := strings.TrimSuffix(pairTitle(a), ":")
			run.add("awry", "an agent foresees every message that it may receive", "warning", text, at.result(r, a.AgentState+" "+a.Message, a.Path))
		}
	}
	return indented(s)
}

func (run *sarifRun) add(rule, description, level, text string, result sarifResult) {
	result.Rule, result.Level, result.Message = rule, level, sarifText{printable.Line(text)}
	rules := &run.Tool.Driver.Rules
	result.Index = slices.IndexFunc(*rules, func(r sarifRule) bool { return r.ID == rule })
	if result.Index < 0 {
		result.Index = len(*rules)
		*rules = append(*rules, sarifRule{rule, sarifText{printable.Line(description)}})
	}
	run.Results = append(run.Results, result)
}

// result is a result without its rule: where it is, and how it came to it. Its
// fingerprint is of the setting and of what is wrong, not of the path, so that it
// is the same result for as long as it is wrong.
func (p *places) result(r *explorer.Report, subject string, path []trace.Step) sarifResult {
	at := p.last(path)
	setting, err := json.Marshal(r.Setting)
	if err != nil {
		panic("a setting is always JSON: " + err.Error())
	}
	sum := sha256.Sum256(append(setting, subject...))
	result := sarifResult{
		Locations:    []sarifLocation{{Physical: at.physical()}},
		Fingerprints: map[string]string{"caulk/v1": hex.EncodeToString(sum[:16])},
	}
	if len(path) == 0 {
		return result
	}
	var thread sarifThread
	for i, step := range path {
		text := fmt.Sprintf("%d  %s%s", i+1, step.Label, after(step.State))
		thread.Locations = append(thread.Locations, sarifStep{sarifLocation{p.of(step).physical(), &sarifText{printable.Line(text)}}})
	}
	result.Flows = []sarifFlow{{[]sarifThread{thread}}}
	return result
}

// physical is nil for nowhere.
func (at place) physical() *sarifPhysical {
	if at.line == 0 {
		return nil
	}
	p := &sarifPhysical{}
	u := url.URL{Path: at.file}
	if path.IsAbs(at.file) {
		u.Scheme = "file"
	}
	p.Artifact.URI = u.String()
	p.Region.Line = at.line
	return p
}

func firstLineOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// describeProperty is what a property means, or its name.
func describeProperty(sys *model.System, name string) string {
	for _, q := range sys.Properties {
		if q.Name == name && q.Doc != "" {
			return q.Doc
		}
	}
	return name
}
