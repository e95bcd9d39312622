package script

import (
	"strconv"
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// ParseTime reads a time as the language writes it: "20s". The second result
// says what is wrong, "" if nothing is.
func ParseTime(text string) (clock.Time, string) {
	d, problem := parseSpan(text)
	return clock.Time(d), problem
}

// parseSpan reads "20s", "2.7s", "5ms". The second result says what is wrong.
func parseSpan(text string) (clock.Duration, string) {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzµ%/")
	unit := unitNamed(text[len(number):])
	switch {
	case text == "":
		return 0, "a time is missing: 20s, 5ms, 2m"
	case text[0] == '-':
		return 0, "a time is never negative"
	case strings.Trim(number, "0123456789.") != "" || number == "":
		return 0, "a time is a number and a unit: 20s, 5ms, 2m"
	case number == text:
		return 0, "a time needs a unit: " + text + "s or " + text + "ms"
	case unit == 0:
		return 0, text[len(number):] + " is no unit; the units of time are ms, s, m and h"
	}
	micros, err := scale(number, int64(unit), int64(clock.Horizon))
	switch err {
	case malformed:
		return 0, "a time is a number and a unit: 20s, 5ms, 2m"
	case tooFine:
		return 0, "a time has no part finer than a microsecond"
	case tooLarge:
		return 0, "a time is at most 30 days (720h)"
	}
	return clock.Duration(micros), ""
}

func unitNamed(name string) clock.Duration {
	switch name {
	case "ms":
		return clock.Millisecond
	case "s":
		return clock.Second
	case "m":
		return clock.Minute
	case "h":
		return clock.Hour
	}
	return 0
}

// scaling says why scale failed.
type scaling uint8

const (
	exact scaling = iota
	malformed
	tooFine
	tooLarge
)

// scale multiplies a decimal number by a unit of at most clock.Hour, exactly.
func scale(number string, unit, most int64) (int64, scaling) {
	whole, fraction, point := strings.Cut(number, ".")
	if whole == "" || point && fraction == "" || strings.Contains(fraction, ".") {
		return 0, malformed
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if len(fraction) > 9 {
		return 0, tooFine
	}
	value, _ := strconv.ParseInt("0"+whole, 10, 64) // the largest int64 if it does not fit
	part, _ := strconv.ParseInt("0"+fraction, 10, 64)
	if value > most/unit {
		return 0, tooLarge
	}
	tenths := int64(1)
	for range fraction {
		tenths *= 10
	}
	if part*unit%tenths != 0 {
		return 0, tooFine
	}
	value = value*unit + part*unit/tenths
	if value > most {
		return 0, tooLarge
	}
	return value, exact
}

// parsePercent reads "0.5%" as parts in a million.
func parsePercent(text string) (int32, string) {
	number, percent := strings.CutSuffix(text, "%")
	if !percent {
		return 0, "a loss is written 1% or 0.5%"
	}
	ppm, err := scale(number, 10_000, 1_000_000)
	switch err {
	case malformed:
		return 0, "a loss is written 1% or 0.5%"
	case tooFine:
		return 0, "a loss has no part finer than 0.0001%"
	case tooLarge:
		return 0, "a loss is at most 100%"
	}
	return int32(ppm), ""
}

// parseRate reads "60/s": records in a span.
func parseRate(text string) (engine.Rate, string) {
	count, unitName, slash := strings.Cut(text, "/")
	unit := unitNamed(unitName)
	if !slash || unit == 0 {
		return engine.Rate{}, "a rate is written 60/s (or per ms, m, h)"
	}
	if strings.Contains(count, ".") {
		return engine.Rate{}, "a rate counts whole records: 30/m instead of 0.5/s"
	}
	records, problem := parseInteger(count, 0, engine.MaxRecordsPerSecond*3600)
	if problem != "" {
		return engine.Rate{}, "a rate " + problem
	}
	if records > engine.MaxRecordsPerSecond*int64(unit)/int64(clock.Second) {
		return engine.Rate{}, "a rate is at most " + decimal(engine.MaxRecordsPerSecond) + "/s"
	}
	return engine.Rate{Records: records, Per: unit}, ""
}

// parseInteger reads a whole number from least to most. The second result goes
// on a sentence that begins with what the number is.
func parseInteger(text string, least, most int64) (int64, string) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, "is a whole number from " + decimal(least) + " to " + decimal(most)
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < least || value > most {
		return 0, "is from " + decimal(least) + " to " + decimal(most)
	}
	return value, ""
}
