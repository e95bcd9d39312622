package kafka

import "math"

// Config is a setting of a broker or a consumer, by number.
type Config uint8

// The settings that the engine models. NoConfig stands where no setting decides.
const (
	NoConfig Config = iota

	// Broker.
	BrokerSessionTimeoutMs
	GroupInitialRebalanceDelayMs
	GroupMaxSessionTimeoutMs
	GroupMaxSize
	GroupMinSessionTimeoutMs
	LeaderImbalanceCheckIntervalSeconds
	OffsetMetadataMaxBytes
	OffsetsCommitTimeoutMs
	OffsetsRetentionCheckIntervalMs
	OffsetsRetentionMinutes
	OffsetsTopicNumPartitions
	OffsetsTopicReplicationFactor
	ZookeeperSessionTimeoutMs

	// Consumer.
	AutoCommitIntervalMs
	AutoOffsetReset
	ClientID
	EnableAutoCommit
	GroupInstanceID
	HeartbeatIntervalMs
	MaxPollIntervalMs
	MaxPollRecords
	MetadataMaxAgeMs
	PartitionAssignmentStrategy
	RequestTimeoutMs
	RetryBackoffMaxMs
	RetryBackoffMs
	SessionTimeoutMs

	ConfigCount

	// NewMemberJoinTimeout is no setting but a constant of the coordinator: a
	// new member parked in its first join is dropped after 5 minutes.
	NewMemberJoinTimeout = ConfigCount
)

// Scope says whose setting a Config is.
type Scope uint8

// The scopes.
const (
	BrokerScope Scope = iota + 1
	ConsumerScope
)

// Type says what a value looks like.
type Type uint8

// The types. Numbers are kept as int64; a boolean is 0 or 1; the choices of
// AutoOffsetReset are numbered in the order of Choices.
const (
	Number Type = iota
	Boolean
	Choice
	Text
)

// ConfigDef describes one setting.
type ConfigDef struct {
	Name     string
	Scope    Scope
	Type     Type
	Min, Max int64
	Choices  []string
	Since    Version // zero: always
	Until    Version // first version without it; zero: still there
	Defaults []Default
}

// Default is a default value and the version it holds from, newest last.
type Default struct {
	Since Version
	Value int64
	Text  string
}

var since2_0, since3_0 = Version{2, 0, 0, 0}, Version{3, 0, 0, 0}

func always(value int64) []Default { return []Default{{Value: value}} }

const maxInt = math.MaxInt32

// configs is the table of settings, by number.
var configs = [ConfigCount]ConfigDef{
	BrokerSessionTimeoutMs:              {Name: "broker.session.timeout.ms", Scope: BrokerScope, Min: 1, Max: maxInt, Since: Version{3, 0, 0, 0}, Defaults: always(9000)},
	GroupInitialRebalanceDelayMs:        {Name: "group.initial.rebalance.delay.ms", Scope: BrokerScope, Max: maxInt, Since: Version{0, 11, 0, 0}, Defaults: always(3000)},
	GroupMaxSessionTimeoutMs:            {Name: "group.max.session.timeout.ms", Scope: BrokerScope, Min: 1, Max: maxInt, Defaults: []Default{{Value: 30000}, {Since: Version{0, 10, 0, 0}, Value: 300000}, {Since: Version{2, 3, 0, 0}, Value: 1800000}}},
	GroupMaxSize:                        {Name: "group.max.size", Scope: BrokerScope, Min: 1, Max: maxInt, Since: Version{2, 2, 0, 0}, Defaults: always(maxInt)},
	GroupMinSessionTimeoutMs:            {Name: "group.min.session.timeout.ms", Scope: BrokerScope, Min: 1, Max: maxInt, Defaults: always(6000)},
	LeaderImbalanceCheckIntervalSeconds: {Name: "leader.imbalance.check.interval.seconds", Scope: BrokerScope, Min: 1, Max: maxInt, Defaults: always(300)},
	OffsetMetadataMaxBytes:              {Name: "offset.metadata.max.bytes", Scope: BrokerScope, Max: maxInt, Defaults: always(4096)},
	OffsetsCommitTimeoutMs:              {Name: "offsets.commit.timeout.ms", Scope: BrokerScope, Min: 1, Max: maxInt, Defaults: always(5000)},
	OffsetsRetentionCheckIntervalMs:     {Name: "offsets.retention.check.interval.ms", Scope: BrokerScope, Min: 1, Max: maxInt, Defaults: always(600000)},
	OffsetsRetentionMinutes:             {Name: "offsets.retention.minutes", Scope: BrokerScope, Min: 1, Max: maxInt, Defaults: []Default{{Value: 1440}, {Since: since2_0, Value: 10080}}},
	OffsetsTopicNumPartitions:           {Name: "offsets.topic.num.partitions", Scope: BrokerScope, Min: 1, Max: 1000, Defaults: always(50)},
	OffsetsTopicReplicationFactor:       {Name: "offsets.topic.replication.factor", Scope: BrokerScope, Min: 1, Max: 100, Defaults: always(3)},
	ZookeeperSessionTimeoutMs:           {Name: "zookeeper.session.timeout.ms", Scope: BrokerScope, Min: 1, Max: maxInt, Until: Version{4, 0, 0, 0}, Defaults: []Default{{Value: 6000}, {Since: Version{2, 5, 0, 0}, Value: 18000}}},

	AutoCommitIntervalMs:        {Name: "auto.commit.interval.ms", Scope: ConsumerScope, Max: maxInt, Defaults: always(5000)},
	AutoOffsetReset:             {Name: "auto.offset.reset", Scope: ConsumerScope, Type: Choice, Choices: []string{"latest", "earliest", "none"}, Defaults: always(0)},
	ClientID:                    {Name: "client.id", Scope: ConsumerScope, Type: Text, Defaults: always(0)},
	EnableAutoCommit:            {Name: "enable.auto.commit", Scope: ConsumerScope, Type: Boolean, Max: 1, Defaults: always(1)},
	GroupInstanceID:             {Name: "group.instance.id", Scope: ConsumerScope, Type: Text, Since: Version{2, 3, 0, 0}, Defaults: always(0)},
	HeartbeatIntervalMs:         {Name: "heartbeat.interval.ms", Scope: ConsumerScope, Min: 1, Max: maxInt, Defaults: always(3000)},
	MaxPollIntervalMs:           {Name: "max.poll.interval.ms", Scope: ConsumerScope, Min: 1, Max: maxInt, Since: Version{0, 10, 1, 0}, Defaults: always(300000)},
	MaxPollRecords:              {Name: "max.poll.records", Scope: ConsumerScope, Min: 1, Max: maxInt, Since: Version{0, 10, 0, 0}, Defaults: []Default{{Value: maxInt}, {Since: Version{0, 10, 1, 0}, Value: 500}}},
	MetadataMaxAgeMs:            {Name: "metadata.max.age.ms", Scope: ConsumerScope, Min: 1, Max: maxInt, Defaults: always(300000)},
	PartitionAssignmentStrategy: {Name: "partition.assignment.strategy", Scope: ConsumerScope, Type: Text, Defaults: []Default{{Text: "range"}, {Since: since3_0, Text: "range,cooperative-sticky"}}},
	RequestTimeoutMs:            {Name: "request.timeout.ms", Scope: ConsumerScope, Min: 1, Max: maxInt, Defaults: []Default{{Value: 40000}, {Since: Version{0, 10, 1, 0}, Value: 305000}, {Since: since2_0, Value: 30000}}},
	RetryBackoffMaxMs:           {Name: "retry.backoff.max.ms", Scope: ConsumerScope, Min: 0, Max: maxInt, Since: Version{3, 7, 0, 0}, Defaults: always(1000)},
	RetryBackoffMs:              {Name: "retry.backoff.ms", Scope: ConsumerScope, Min: 0, Max: maxInt, Defaults: always(100)},
	SessionTimeoutMs:            {Name: "session.timeout.ms", Scope: ConsumerScope, Min: 1, Max: maxInt, Defaults: []Default{{Value: 30000}, {Since: Version{0, 10, 1, 0}, Value: 10000}, {Since: since3_0, Value: 45000}}},
}

// Def is the definition of c.
func (c Config) Def() *ConfigDef { return &configs[c] }

// String is Kafka's name of the setting.
func (c Config) String() string {
	if c == NewMemberJoinTimeout {
		return "new member join timeout"
	}
	return configs[c].Name
}

// ConfigNamed finds a setting by Kafka's name; NoConfig if the engine has none.
func ConfigNamed(name string) Config {
	for c := NoConfig + 1; c < ConfigCount; c++ {
		if configs[c].Name == name {
			return c
		}
	}
	return NoConfig
}

// Known reports whether version v has the setting.
func (d *ConfigDef) Known(v Version) bool {
	return !v.Older(d.Since) && (d.Until == Version{} || v.Older(d.Until))
}

// DefaultIn is the setting's default in version v.
func (d *ConfigDef) DefaultIn(v Version) Default {
	best := d.Defaults[0]
	for _, def := range d.Defaults[1:] {
		if !v.Older(def.Since) {
			best = def
		}
	}
	return best
}

// Settings are the values of all settings of one process. Text settings stand
// in Texts. Settings are a value: a copy is independent.
type Settings struct {
	Values [ConfigCount]int64
	Texts  [ConfigCount]string
}

// DefaultSettings has every setting at version v's default.
func DefaultSettings(v Version) Settings {
	var s Settings
	for c := NoConfig + 1; c < ConfigCount; c++ {
		d := configs[c].DefaultIn(v)
		s.Values[c], s.Texts[c] = d.Value, d.Text
	}
	return s
}

// Millis is a setting in milliseconds.
func (s *Settings) Millis(c Config) int64 { return s.Values[c] }

// Bool is a boolean setting.
func (s *Settings) Bool(c Config) bool { return s.Values[c] != 0 }
