package coordinator

import (
	"math/bits"

	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// supportsProtocols mirrors GroupMetadata.supportsProtocols: a member must
// share a protocol with all others.
func (c *Coordinator) supportsProtocols(g *group, req *kafka.Request) bool {
	if c.has.Has(kafka.EmptyState) && g.state == kafka.Empty {
		return !c.has.Has(kafka.JoinNeedsProtocols) || req.ProtocolType != "" && len(req.Protocols) > 0
	}
	if g.protocolType != req.ProtocolType {
		return false
	}
	for i := range req.Protocols {
		if g.supportedByAll(req.Protocols[i].Name) {
			return true
		}
	}
	return g.size() == 0 && !c.has.Has(kafka.ProtocolsNeededAlways) // even with an empty list
}

// ballot counts the votes for a protocol.
type ballot struct {
	name  string
	votes int
}

// selectProtocol mirrors GroupMetadata.selectProtocol: each member votes for
// the first protocol of its list that all members support. It fails when a
// member has none to vote for.
func (c *Coordinator) selectProtocol(g *group) (string, bool) {
	var room [8]ballot
	ballots := room[:0]
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live {
			continue
		}
		vote, ok := g.vote(&e.item)
		if !ok {
			return "", false
		}
		ballots = cast(ballots, vote)
	}
	return c.winner(g, ballots), true
}

func (g *group) vote(m *member) (string, bool) {
	for i := range m.protocols {
		if g.supportedByAll(m.protocols[i].Name) {
			return m.protocols[i].Name, true
		}
	}
	return "", false
}

func cast(ballots []ballot, vote string) []ballot {
	for i := range ballots {
		if ballots[i].name == vote {
			ballots[i].votes++
			return ballots
		}
	}
	return append(ballots, ballot{vote, 1})
}

// winner is the protocol with most votes; among equals it is the first in the
// order of the map that Scala counts the votes in.
func (c *Coordinator) winner(g *group, ballots []ballot) string {
	if len(ballots) == 1 {
		return ballots[0].name
	}
	c.mark(rule.Vote1)
	most := 0
	for _, b := range ballots {
		most = max(most, b.votes)
	}
	ordered := make([]ballot, 0, len(ballots))
	if c.has.Has(kafka.VoteInHashMap) {
		ordered = mapOrder(ordered, ballots)
	} else if c.has.Has(kafka.VoteInTrie) {
		ordered = trieOrder(ordered, ballots, 0)
	} else {
		ordered = tableOrder(ordered, ballots)
	}
	var tied []string
	for _, b := range ordered {
		if b.votes == most {
			tied = append(tied, b.name)
		}
	}
	if len(tied) == 1 || c.choices == nil {
		return tied[0]
	}
	return oneOf(c.choices.Protocol(g.id, tied), tied)
}

// trieOrder is the order of scala.collection.immutable.HashMap in Scala 2.13:
// by five bits of the hash at a time, entries that are alone in their branch
// before those that share one.
func trieOrder(dst, ballots []ballot, shift uint) []ballot {
	var branches [32][]ballot
	for _, b := range ballots {
		at := trieHash(b.name) >> shift & 31
		branches[at] = append(branches[at], b)
	}
	for _, branch := range branches {
		if len(branch) == 1 || shift > 30 {
			dst = append(dst, branch...)
		}
	}
	for _, branch := range branches {
		if len(branch) > 1 && shift <= 30 {
			dst = trieOrder(dst, branch, shift+5)
		}
	}
	return dst
}

func trieHash(s string) uint32 {
	h := uint32(kafka.JavaHash(s))
	h += ^(h << 9)
	h ^= h >> 14
	h += h << 4
	return h ^ h>>10
}

// mapOrder is the order of java.util.HashMap with at most 12 entries: bucket by
// bucket, within one as they came.
func mapOrder(dst, ballots []ballot) []ballot {
	for bucket := range uint32(16) {
		for _, b := range ballots {
			if h := uint32(kafka.JavaHash(b.name)); (h^h>>16)&15 == bucket {
				dst = append(dst, b)
			}
		}
	}
	return dst
}

// tableOrder is the order of scala.collection.mutable.HashMap up to Scala 2.12
// with at most 12 entries: from the last of its 16 buckets to the first. Small
// immutable maps keep it.
func tableOrder(dst, ballots []ballot) []ballot {
	for bucket := 15; bucket >= 0; bucket-- {
		for i := len(ballots) - 1; i >= 0; i-- {
			if tableBucket(ballots[i].name) == uint32(bucket) {
				dst = append(dst, ballots[i])
			}
		}
	}
	return dst
}

func tableBucket(s string) uint32 {
	const factor = 0x9e3775cd
	h := bits.ReverseBytes32(uint32(kafka.JavaHash(s))*factor) * factor
	return bits.RotateLeft32(h, -4) >> 28
}
