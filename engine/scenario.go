package engine

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// Scenario is a parsed scenario: the cluster, the consumers and the timed
// commands. It is a value; a World never changes it.
type Scenario struct {
	Version kafka.Version // of the brokers
	Seed    uint64

	Brokers            int32 // ids 1..Brokers
	BrokersLine        int32 // its line, 0 if the scenario does not say
	BrokerSettings     kafka.Settings
	BrokerExceptions   []BrokerException
	OffsetsTopicAbsent bool // __consumer_offsets is created by the first FindCoordinator

	Network Network
	Links   []Link

	Topics    []Topic
	Consumers []Consumer // in the order of their lines
	Commands  []Command  // by time; commands of one time in the order of their lines
	End       clock.Time // `run until`
}

// BrokerException is a setting that one broker has otherwise.
type BrokerException struct {
	Broker int32
	Config kafka.Config
	Value  int64
}

// Network is the behaviour of every link that has no own line.
type Network struct {
	Latency clock.Duration // one way
	Jitter  clock.Duration // at most this is added, drawn for each message
	LossPPM int32          // lost messages in a million
	Append  clock.Duration // from handing a record to the log until it is acknowledged
	Load    clock.Duration // loading one partition of __consumer_offsets
}

// Link is the latency between two nodes, both ways.
type Link struct {
	A, B    Subject
	Latency clock.Duration
}

// Rate is a number of records in a span: 60/s is {60, clock.Second}.
type Rate struct {
	Records int64
	Per     clock.Duration
}

// Topic is a topic whose records arrive in turn on its partitions from 0 s.
type Topic struct {
	Name       string
	Partitions int32
	Rate       Rate
}

// Consumer is one consumer with everything that its group's line and its own say.
type Consumer struct {
	Name        string
	Group       string
	Topics      []string
	Client      kafka.Version
	APIVersions [kafka.APICount]int16 // -1: the newest that client and broker share
	NoHeartbeat bool                  // heartbeat=never
	Process     clock.Duration        // per record
	Settings    kafka.Settings
	Start       clock.Time // Never: only by a `start` command
	Line        int32
}

// SubjectKind says what a Subject names.
type SubjectKind uint8

// The kinds of subjects.
const (
	NoSubject SubjectKind = iota
	ConsumerSubject
	BrokerSubject
	GroupSubject
	TopicSubject
	PartitionSubject
)

// Subject names something of the scenario: consumer c1, broker 2, group
// checkout, topic orders, partition orders-2.
type Subject struct {
	Kind SubjectKind
	Name string // consumer, group or topic
	ID   int32  // broker or partition
}

// Verb is what a command does.
type Verb uint8

// The verbs.
const (
	StartVerb   Verb = iota // consumer or broker
	StopVerb                // clean shutdown of a consumer or broker
	KillVerb                // the process is gone at once
	StallVerb               // a consumer's processing takes For longer
	RestartVerb             // a consumer's stop, then start when it has closed
	CutVerb                 // no message passes between Subject and Other
	HealVerb
	SetVerb        // Config of a consumer or broker: holds from its next start
	AlterVerb      // partitions of a topic
	AppendFailVerb // appends to __consumer_offsets fail with Error, or are Lost
	ConsumerVerb   // new consumers
)

// Command is one thing that comes from outside at one time.
type Command struct {
	At   clock.Time
	Line int32  // of the scenario; 0: it came later
	Text string // as the language prints it

	Verb      Verb
	Subject   Subject
	Other     Subject        // CutVerb, HealVerb
	For       clock.Duration // StallVerb, AppendFailVerb (0: from now on)
	Config    kafka.Config   // SetVerb
	Value     int64          // SetVerb, AlterVerb
	ValueText string         // SetVerb of a text setting
	Error     kafka.Error    // AppendFailVerb; None ends it
	Lost      bool           // AppendFailVerb: nothing is written and nobody hears of it
	Consumers []Consumer     // ConsumerVerb
}

// The bounds of a scenario. A script that passes one gets an error that names it.
const (
	MaxBrokers          = 100
	MaxConsumers        = 2000
	MaxTopics           = 1000
	MaxPartitions       = 10_000 // of one topic
	MaxTotalPartitions  = 100_000
	MaxGroups           = 1000
	MaxCommands         = 10_000
	MaxRecordsPerSecond = 1_000_000
)

// The defaults of what a scenario does not say; SPEC.md has the whole table.
const (
	DefaultSeed    = 1
	DefaultBrokers = 1
	DefaultLatency = clock.Millisecond
	DefaultAppend  = clock.Millisecond
	DefaultLoad    = clock.Millisecond
	DefaultEnd     = clock.Time(10 * clock.Minute)
)

// fields lists what `expect` can ask of each kind of subject.
var fields = [...][]string{
	NoSubject:        nil,
	ConsumerSubject:  {"state", "member", "generation", "assigned", "error", "lag"},
	BrokerSubject:    {"state", "groups"},
	GroupSubject:     {"state", "generation", "members", "leader", "protocol", "partition", "coordinator", "waiting_for", "due"},
	TopicSubject:     nil,
	PartitionSubject: {"owner", "reader", "committed", "lag"},
}

// Fields lists the fields that `expect` can ask of a kind of subject.
func Fields(kind SubjectKind) []string { return fields[kind] }
