package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// parked is a request that is not answered yet (awaitingJoinCallback and
// awaitingSyncCallback of MemberMetadata).
type parked struct {
	waiting  bool
	answered bool // the request got UNKNOWN_SERVER_ERROR, the callback remains
	to       event.Node
	corr     int64
}

// member mirrors MemberMetadata. Its id is its key in the group's roster.
type member struct {
	id                 string
	birth              uint64 // tells this object from others; a replacement keeps it
	instance           string // "" is null: a dynamic member
	clientID           string
	clientHost         string
	node               event.Node
	sessionTimeoutMs   int32
	rebalanceTimeoutMs int32
	protocols          []kafka.Protocol // immutable
	assignment         string

	loaded     bool // read from the log
	isNew      bool // its first join is not answered yet
	awaitsSync bool // in pendingSyncMembers
	join, sync parked
	timer      int32
	heardAt    clock.Millis // latestHeartbeat
	leftovers  int32        // up to 2.4: timers that run beside it, linked by next
}

// pendingMember is an id handed out by MEMBER_ID_REQUIRED.
type pendingMember struct {
	node  event.Node
	timer int32
}

// support counts the members that list a protocol.
type support struct {
	name    string
	members int
}

// group mirrors GroupMetadata without its offsets.
type group struct {
	id           string
	partition    int32
	serial       uint64 // tells this object from later ones of the same id
	state        kafka.GroupState
	stateSince   clock.Millis // currentStateTimestamp
	generation   int32
	protocolType string // "" is null
	protocol     string // "" is null
	leader       string // "" is null

	members   roster[name, member]
	statics   roster[name, string] // instance id to member id
	pending   roster[name, pendingMember]
	supported []support
	joining   int      // numMembersAwaitingJoin
	unsynced  int      // members in pendingSyncMembers
	strangers []string // ids in pendingSyncMembers that are members no longer

	newMemberAdded bool
	initialDelay   bool  // the join phase is the initial, delayed one
	delayMs        int64 // of the initial delay that runs
	remainingMs    int64 // what is left for further delays
	joinTimer      int32
	joinConfig     kafka.Config
	syncTimer      int32
	stuck          bool // Kafka threw at the end of the join phase: no timer will end it
	syncGeneration int32
	returned       bool // its deletion was undone: timers may have run out meanwhile

	subscribed      []string // sorted topics that members subscribe to
	subscribedKnown bool
}

// newGroup makes a group object and puts it into the cache
// (GroupMetadataManager.addGroup).
func (c *Coordinator) newGroup(id string) *group {
	c.serials++
	g := &group{
		id: id, partition: c.partitionOf(id), serial: c.serials, state: kafka.Empty,
		stateSince: c.now.Millis(), joinTimer: noTimer, syncTimer: noTimer,
	}
	if c.has.Has(kafka.GroupBornStable) {
		g.state = kafka.Stable
	}
	c.list(g)
	c.note(undo{kind: undoGroup, group: id})
	return g
}

// forget takes a group out of the cache, with everything that is timed.
func (c *Coordinator) forget(g *group) {
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			c.dropMemberTimers(&e.item)
		}
	}
	for i := range g.pending.entries {
		if e := &g.pending.entries[i]; e.live {
			c.freeTimerOf(&e.item.timer)
		}
	}
	c.freeTimerOf(&g.joinTimer)
	c.freeTimerOf(&g.syncTimer)
	c.groups.remove(name(g.id))
	if !c.has.Has(kafka.OffsetsOutsideGroup) {
		c.ledgers.remove(name(g.id))
	}
}

func (g *group) member(id string) *member { return g.members.get(name(id)) }

// size is the number of members.
func (g *group) size() int { return g.members.live }

// isStatic reports whether the member has an instance id.
func (m *member) isStatic() bool { return m.instance != "" }

// satisfied mirrors MemberMetadata.hasSatisfiedHeartbeat at expiry: a parked
// request keeps the member alive, unless the member is new.
func (c *Coordinator) satisfied(m *member) bool {
	if m.isNew && c.has.Has(kafka.NewMemberCanExpire) {
		return false
	}
	return m.join.waiting || m.sync.waiting
}

// countProtocols adds a member's protocols to the support counters, or takes
// them away. What is listed twice counts twice since 2.1.0.
func (c *Coordinator) countProtocols(g *group, protocols []kafka.Protocol, by int) {
	for i := range protocols {
		if c.counts(protocols, i) {
			g.countProtocol(protocols[i].Name, by)
		}
	}
}

func (c *Coordinator) counts(protocols []kafka.Protocol, i int) bool {
	return c.has.Has(kafka.ProtocolsCounted) || !slices.ContainsFunc(protocols[:i], func(p kafka.Protocol) bool { return p.Name == protocols[i].Name })
}

func (g *group) countProtocol(protocol string, by int) {
	for i := range g.supported {
		if g.supported[i].name == protocol {
			if g.supported[i].members += by; g.supported[i].members == 0 {
				g.supported = append(g.supported[:i], g.supported[i+1:]...)
			}
			return
		}
	}
	g.supported = append(g.supported, support{protocol, by})
}

// supportedByAll reports whether every member lists the protocol; in a group
// without members all do.
func (g *group) supportedByAll(protocol string) bool {
	for i := range g.supported {
		if g.supported[i].name == protocol {
			return g.supported[i].members == g.size()
		}
	}
	return g.size() == 0
}

// metadata is the member's subscription for a protocol.
func (m *member) metadata(protocol string) (string, bool) {
	for i := range m.protocols {
		if m.protocols[i].Name == protocol {
			return m.protocols[i].Metadata, true
		}
	}
	return "", false
}

// matches reports whether the lists are the same: names, order and bytes.
func (m *member) matches(protocols []kafka.Protocol) bool {
	if len(m.protocols) != len(protocols) {
		return false
	}
	for i := range protocols {
		if m.protocols[i] != protocols[i] {
			return false
		}
	}
	return true
}

// maxRebalanceTimeout is the largest rebalance timeout of the members
// (GroupMetadata.rebalanceTimeoutMs); before 0.10.1 the largest session timeout.
func (c *Coordinator) maxRebalanceTimeout(g *group) int64 {
	var longest int32
	for i := range g.members.entries {
		if e := &g.members.entries[i]; !e.live {
			continue
		} else if c.has.Has(kafka.RebalanceBoundBySession) {
			longest = max(longest, e.item.sessionTimeoutMs)
		} else {
			longest = max(longest, e.item.rebalanceTimeoutMs)
		}
	}
	return int64(longest)
}
