package coordinator

import (
	"strconv"
	"strings"

	"rebalancelab/engine/kafka"
)

// The texts are those of the broker's line "Preparing to rebalance group …
// (reason: …)" in each release.

func (c *Coordinator) reasonNewMember(id string, req *kafka.Request) string {
	text := "Adding new member " + id
	if c.has.Has(kafka.InstanceInReasons) {
		text += " with group instance id " + c.option(req.InstanceID)
	}
	return text + c.clientReason(req.Reason)
}

func (c *Coordinator) reasonChanged(g *group, m *member, req *kafka.Request) string {
	text := "Updating metadata for member " + m.id
	if c.has.Has(kafka.DetailedReasons) {
		text += " during " + g.state.In(c.version)
	}
	return text + c.clientReason(req.Reason)
}

func (c *Coordinator) reasonLeader(g *group, m *member, req *kafka.Request) string {
	if !c.has.Has(kafka.DetailedReasons) {
		return "Updating metadata for member " + m.id
	}
	text := "eader " + m.id + " re-joining group during " + g.state.In(c.version)
	return c.capital('L', text) + c.clientReason(req.Reason)
}

func (c *Coordinator) reasonStaticReplaced(m *member, req *kafka.Request) string {
	return "Updating metadata for static member " + m.id + " with instance id " + m.instance + c.clientReason(req.Reason)
}

func (c *Coordinator) reasonStaticProtocol(m *member, req *kafka.Request) string {
	return "Group's selectedProtocol will change because static member " + m.id + " with instance id " + m.instance +
		" joined with change of protocol" + c.clientReason(req.Reason)
}

func (c *Coordinator) reasonLeave(id, reason string) string {
	return c.capital('R', "emoving member "+id+" on LeaveGroup") + c.clientReason(reason)
}

func (c *Coordinator) reasonStore(m string, err kafka.Error) string {
	text := "rror "
	if c.has.Has(kafka.StoreErrorInReason) {
		text += err.In(c.version) + " "
	}
	if c.has.Has(kafka.ReasonsReworded) {
		return "E" + text + "when storing group assignmentduring SyncGroup (member: " + m + ")."
	}
	return c.capital('E', text+"when storing group assignment during SyncGroup (member: "+m+")")
}

func (c *Coordinator) reasonExpired(id string) string {
	text := "removing member " + id + " on heartbeat expiration"
	if c.has.Has(kafka.ReasonsReworded) {
		text += "."
	}
	return text
}

func reasonLeft(ids []string) string {
	return "explicit `LeaveGroup` request for (" + strings.Join(ids, ", ") + ") members."
}

// reasonUnsynced prints the ids as Scala, or Java, prints a Set.
func (c *Coordinator) reasonUnsynced(ids []string) string {
	open, end := "Set(", ")"
	switch {
	case c.has.Has(kafka.ReasonsReworded):
		open, end = "[", "]"
	case len(ids) > 4:
		open = "HashSet("
	}
	return "Removing " + open + strings.Join(ids, ", ") + end + " on pending sync request expiration"
}

// reasonOverCapacity is for a group that is too large for a lowered limit.
func (c *Coordinator) reasonOverCapacity(g *group) string {
	limit := strconv.FormatInt(c.setting(kafka.GroupMaxSize), 10)
	if c.has.Has(kafka.ReasonsReworded) {
		return "Freshly-loaded group " + g.id + " (size " + strconv.Itoa(g.size()) + ") is over capacity " + limit +
			". Rebalancing in order to give a chance for consumers to commit offsets"
	}
	return "Freshly-loaded group is over capacity (" + limit + "). Rebalancing in order to give a chance for consumers to commit offsets"
}

// capital begins a text with a capital letter from 3.0.0 on, before with a
// small one.
func (c *Coordinator) capital(letter byte, rest string) string {
	if !c.has.Has(kafka.OneMemberValidation) {
		letter |= 0x20
	}
	return string(letter) + rest
}

// clientReason is the suffix with what the client gives as its reason.
func (c *Coordinator) clientReason(reason string) string {
	if !c.has.Has(kafka.ClientReasons) {
		return ""
	}
	if reason == "" {
		reason = "not provided"
	}
	return "; client reason: " + reason
}

// option prints an id as Scala prints an Option, or as Java prints what may be
// null.
func (c *Coordinator) option(id string) string {
	switch {
	case c.has.Has(kafka.ReasonsReworded) && id == "":
		return "null"
	case c.has.Has(kafka.ReasonsReworded):
		return id
	case id == "":
		return "None"
	}
	return "Some(" + id + ")"
}
