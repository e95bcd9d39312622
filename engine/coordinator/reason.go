package coordinator

import (
	"strconv"
	"strings"

	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// reason says why a group rebalances: the rule, and the text of the broker's line
// "Preparing to rebalance group … (reason: …)" in this release.
type reason struct {
	rule  rule.Rule
	text  string
	guard string // "": the text says it
}

// words is the guard of the rule in words.
func (r *reason) words() string {
	if r.guard != "" {
		return r.guard
	}
	return r.text
}

func (c *Coordinator) reasonNewMember(id string, req *kafka.Request) reason {
	text := "Adding new member " + id
	switch {
	case c.has.Has(kafka.InstanceidInReasons):
		text += " with group instanceid " + c.option(req.InstanceID)
	case c.has.Has(kafka.InstanceInReasons):
		text += " with group instance id " + c.option(req.InstanceID)
	}
	return reason{rule.Join3, text + c.clientReason(req.Reason), id + " is new"}
}

func (c *Coordinator) reasonChanged(g *group, m *member, req *kafka.Request) reason {
	text := "Updating metadata for member " + m.id
	if c.has.Has(kafka.DetailedReasons) {
		text += " during " + g.state.In(c.version)
	}
	return reason{rule.Join7, text + c.clientReason(req.Reason), "the protocols of " + m.id + " changed"}
}

func (c *Coordinator) reasonLeader(g *group, m *member, req *kafka.Request) reason {
	if !c.has.Has(kafka.DetailedReasons) {
		return reason{rule.Join7, "Updating metadata for member " + m.id, "the leader " + m.id + " rejoins"}
	}
	text := "eader " + m.id + " re-joining group during " + g.state.In(c.version)
	return reason{rule.Join7, c.capital('L', text) + c.clientReason(req.Reason), "the leader " + m.id + " rejoins"}
}

func (c *Coordinator) reasonStaticReplaced(m *member, req *kafka.Request) reason {
	return reason{rule.Static8, "Updating metadata for static member " + m.id + " with instance id " + c.instanceText(m) + c.clientReason(req.Reason), m.id + " takes the place of " + m.instance + " before the assignment is there"}
}

func (c *Coordinator) reasonStaticProtocol(m *member, req *kafka.Request) reason {
	return reason{rule.Static2, "Group's selectedProtocol will change because static member " + m.id + " with instance id " + c.instanceText(m) +
		" joined with change of protocol" + c.clientReason(req.Reason), "with " + m.id + " in the place of " + m.instance + " another protocol wins"}
}

// instanceText prints the instance id of a member that was replaced.
func (c *Coordinator) instanceText(m *member) string {
	if c.has.Has(kafka.InstanceAsOption) {
		return c.option(m.instance)
	}
	return m.instance
}

func (c *Coordinator) reasonExpired(r rule.Rule, id, guard string) reason {
	text := "removing member " + id + " on heartbeat expiration"
	if c.has.Has(kafka.ReasonsReworded) {
		text += "."
	}
	return reason{r, text, guard}
}

func (c *Coordinator) reasonLeave(id, told string) reason {
	return reason{rule.Leave3, c.capital('R', "emoving member "+id+" on LeaveGroup") + c.clientReason(told), id + " left"}
}

func (c *Coordinator) reasonStore(m string, err kafka.Error) reason {
	text := "rror "
	if c.has.Has(kafka.StoreErrorInReason) {
		text += err.In(c.version) + " "
	}
	if c.has.Has(kafka.ReasonsReworded) { // without a blank, and with a dot
		return reason{rule.Store1, "E" + text + "when storing group assignmentduring SyncGroup (member: " + m + ").", "the assignment could not be written"}
	}
	return reason{rule.Store1, c.capital('E', text+"when storing group assignment during SyncGroup (member: "+m+")"), "the assignment could not be written"}
}

// reasonLeft is for a batch of members that left at once.
func reasonLeft(ids []string) reason {
	list := strings.Join(ids, ", ")
	return reason{rule.Leave3, "explicit `LeaveGroup` request for (" + list + ") members.", list + " left"}
}

// reasonUnsynced prints the ids as Scala, or Java, prints a Set.
func (c *Coordinator) reasonUnsynced(ids []string) reason {
	open, end := "Set(", ")"
	switch {
	case c.has.Has(kafka.ReasonsReworded):
		open, end = "[", "]"
	case len(ids) > 4:
		open = "HashSet("
	}
	list := strings.Join(ids, ", ")
	return reason{rule.Sync4, "Removing " + open + list + end + " on pending sync request expiration", list + " did not sync in time"}
}

// reasonOverCapacity is for a group that is too large for a lowered limit.
func (c *Coordinator) reasonOverCapacity(g *group) reason {
	limit, size := strconv.FormatInt(c.setting(kafka.GroupMaxSize), 10), strconv.Itoa(g.size())
	text, rebalancing := "Freshly-loaded group is over capacity ("+limit+")", "Rebalancing"
	switch {
	case c.has.Has(kafka.ReasonsReworded):
		text = "Freshly-loaded group " + g.id + " (size " + size + ") is over capacity " + limit
	case c.has.Has(kafka.OverCapacityMisspelt):
		text, rebalancing = "Freshly-loaded group is over capacity ("+c.groupConfig()+".groupMaxSize)", "Rebalacing"
	}
	return reason{rule.Size3, text + ". " + rebalancing + " in order to give a chance for consumers to commit offsets", size + " members > group.max.size " + limit}
}

// groupConfig is GroupConfig as Scala prints it.
func (c *Coordinator) groupConfig() string {
	var fields []string
	for _, config := range [...]kafka.Config{kafka.GroupMinSessionTimeoutMs, kafka.GroupMaxSessionTimeoutMs, kafka.GroupMaxSize, kafka.GroupInitialRebalanceDelayMs} {
		fields = append(fields, strconv.FormatInt(c.setting(config), 10))
	}
	return "GroupConfig(" + strings.Join(fields, ",") + ")"
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

// option prints an id that may be missing, as Scala prints an Option or Java a
// reference.
func (c *Coordinator) option(id string) string {
	switch reworded := c.has.Has(kafka.ReasonsReworded); {
	case reworded && id == "":
		return "null"
	case reworded:
		return id
	case id == "":
		return "None"
	}
	return "Some(" + id + ")"
}
