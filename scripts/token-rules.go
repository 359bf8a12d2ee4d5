// Prints the table of src/doctor/redaction/issued-prefixes.ts from the rules of Betterleaks:
//
//	go run scripts/token-rules.go config/betterleaks.toml
//
// A rule counts where its token starts with fixed characters. Each row states the rule, how its tokens begin, the
// characters that follow, and the fewest of them.
package main

import (
	"fmt"
	"os"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// run is one class of characters, repeated.
type run struct {
	set []rune
	min int
}

const (
	mostSequences    = 64
	mostAlternatives = 4
	separators       = "-_.:/!"
	// What a log may leave of a token, or what is too short to count.
	fewest = 16
	// Where a rule also asks for words before the token, its prefix alone is that long.
	longPrefix = 6
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	rules, leasts := map[string]string{}, map[string]int{}
	id := ""
	for _, line := range strings.Split(string(text), "\n") {
		if value, found := strings.CutPrefix(line, "id = "); found && strings.HasPrefix(value, `"`) {
			id = strings.Trim(value, `"`)
		}
		if value, found := strings.CutPrefix(line, "regex = '''"); found && isSecret(id) {
			for token, least := range tokensOf(strings.TrimSuffix(value, "'''")) {
				if former, found := leasts[token]; !found || least < former {
					rules[token], leasts[token] = strings.Split(id, ".")[0], least
				}
			}
		}
	}
	lines := []string{}
	for token, rule := range rules {
		lines = append(lines, rule+" "+token+" "+strconv.Itoa(leasts[token]))
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

// isSecret leaves out rules for what identifies an account and opens nothing.
func isSecret(id string) bool {
	for _, end := range []string{"-id", "-url", "-host", "-name", "-address", "public-key", "client-sdk-key", "mobile-sdk-key"} {
		if strings.HasSuffix(strings.Split(id, ".")[0], end) {
			return false
		}
	}
	return true
}

// tokensOf: how tokens begin and which characters follow, with the fewest of them.
func tokensOf(pattern string) map[string]int {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	if group := firstGroup(parsed); group != nil {
		parsed = group
	}
	shortest := 3
	if strings.Contains(pattern, "=|>") {
		shortest = longPrefix
	}
	tokens := map[string]int{}
	for _, sequence := range sequencesOf(parsed) {
		token, least := tokenOf(sequence, shortest)
		if former, found := tokens[token]; token != "" && (!found || least < former) {
			tokens[token] = least
		}
	}
	return tokens
}

func firstGroup(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return re.Sub[0]
	}
	for _, sub := range re.Sub {
		if found := firstGroup(sub); found != nil {
			return found
		}
	}
	return nil
}

func sequencesOf(re *syntax.Regexp) [][]run {
	switch re.Op {
	case syntax.OpLiteral:
		runs := []run{}
		for _, char := range re.Rune {
			set := []rune{char}
			if re.Flags&syntax.FoldCase != 0 {
				set = characters([]rune{[]rune(strings.ToLower(string(char)))[0]}, []rune(strings.ToUpper(string(char))))
			}
			runs = append(runs, run{set, 1})
		}
		return [][]run{runs}
	case syntax.OpCharClass:
		set := []rune{}
		for i := 0; i < len(re.Rune); i += 2 {
			for char := re.Rune[i]; char <= re.Rune[i+1] && char < 128; char++ {
				set = append(set, char)
			}
		}
		if len(set) > mostAlternatives || isFixed(set) {
			return [][]run{{{set, 1}}}
		}
		each := [][]run{}
		for _, char := range set {
			each = append(each, []run{{[]rune{char}, 1}})
		}
		return each
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return [][]run{{{[]rune{0, 127}, 1}}}
	case syntax.OpCapture:
		return sequencesOf(re.Sub[0])
	case syntax.OpAlternate:
		all := [][]run{}
		for _, sub := range re.Sub {
			all = append(all, sequencesOf(sub)...)
		}
		return all
	case syntax.OpConcat:
		all := [][]run{{}}
		for _, sub := range re.Sub {
			next := [][]run{}
			for _, before := range all {
				for _, after := range sequencesOf(sub) {
					next = append(next, append(slices.Clone(before), after...))
				}
			}
			all = next[:min(len(next), mostSequences)]
		}
		return all
	case syntax.OpRepeat, syntax.OpPlus, syntax.OpStar, syntax.OpQuest:
		times := map[syntax.Op]int{syntax.OpRepeat: re.Min, syntax.OpPlus: 1}[re.Op]
		all := [][]run{}
		for _, sequence := range sequencesOf(re.Sub[0]) {
			repeated := []run{}
			for _, each := range sequence {
				repeated = append(repeated, run{each.set, each.min * times})
			}
			all = append(all, repeated)
		}
		return all
	}
	return [][]run{{}}
}

func tokenOf(sequence []run, shortest int) (string, int) {
	lower, upper, at := "", "", 0
	for ; at < len(sequence) && sequence[at].min == 1 && isFixed(sequence[at].set); at++ {
		lower += string(sequence[at].set[0])
		upper += string(sequence[at].set[len(sequence[at].set)-1])
	}
	set, least := []rune{}, 0
	for _, each := range sequence[at:] {
		set = characters(set, each.set)
		least += each.min
	}
	if len(lower) < shortest || least < fewest || len(set) == 0 || set[0] <= ' ' || set[len(set)-1] > '~' || len(set) > 75 {
		return "", 0
	}
	if strings.ContainsAny(lower[len(lower)-1:], separators) {
		least = max(fewest, least/2)
	}
	prefixes := lower
	if upper != lower {
		prefixes = strings.ToLower(lower) + "|" + strings.ToUpper(upper)
	}
	return prefixes + " " + ranges(set), least
}

// isFixed: one character, or both cases of one letter.
func isFixed(set []rune) bool {
	return len(set) == 1 || (len(set) == 2 && strings.EqualFold(string(set[0]), string(set[1])))
}

func characters(sets ...[]rune) []rune {
	all := slices.Concat(sets...)
	slices.Sort(all)
	return slices.Compact(all)
}

func ranges(set []rune) string {
	text, dash := "", ""
	for i := 0; i < len(set); i++ {
		last := i
		for last+1 < len(set) && set[last+1] == set[last]+1 {
			last++
		}
		switch {
		case set[i] == '-' && last == i:
			dash = "-"
		case last-i < 2:
			text += string(set[i : last+1])
		default:
			text += string(set[i]) + "-" + string(set[last])
		}
		i = last
	}
	return text + dash
}
