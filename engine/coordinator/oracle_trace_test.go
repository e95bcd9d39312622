package coordinator

import (
	"encoding/hex"
	"encoding/json"

	"rebalancelab/engine/kafka"
)

// oracleTrace is one recorded trace.
type oracleTrace struct {
	ID     string           `json:"id"`
	Kafka  string           `json:"kafka"`
	Tags   []string         `json:"tags"`
	Config map[string]int64 `json:"config"`
	Steps  []oracleStep     `json:"steps"`

	ClientHost string            `json:"client_host"`
	IDs        map[string]string `json:"ids"`

	Topics []struct {
		Name       string
		Partitions int32
	}

	version  kafka.Version
	playable bool
}

// oracleStep is one step of a trace: a request, or something else that happens.
type oracleStep struct {
	At          int64           `json:"at"`
	Do          string          `json:"do"`
	Corr        int64           `json:"corr"`
	Group       string          `json:"group"`
	MemberID    string          `json:"member_id"`
	Instance    string          `json:"group_instance_id"`
	Generation  *int32          `json:"generation"`
	ClientID    string          `json:"client_id"`
	ClientHost  string          `json:"client_host"`
	Session     int32           `json:"session_timeout_ms"`
	Rebalance   int32           `json:"rebalance_timeout_ms"`
	Type        string          `json:"protocol_type"`
	Protocol    string          `json:"protocol_name"`
	Protocols   []oracleBytes   `json:"protocols"`
	Version     int16           `json:"version"`
	Assignments []oracleBytes   `json:"assignments"`
	Members     []oracleMember  `json:"members"`
	RetentionMs *int64          `json:"retention_ms"`
	Offsets     []oracleOffset  `json:"offsets"`
	Producer    int64           `json:"producer_id"`
	Epoch       int16           `json:"producer_epoch"`
	Result      string          `json:"result"`
	Partitions  *[]oracleOffset `json:"partitions"`
	Stable      bool            `json:"require_stable"`
	GroupIDs    []string        `json:"group_ids"`
	States      []string        `json:"states"`
	Error       string          `json:"error"`

	Config map[string]int64 `json:"config"`

	StatesFilter []string         `json:"states_filter"`
	TypesFilter  []string         `json:"types_filter"`
	Set          map[string]int32 `json:"set"`
	Delete       []string         `json:"delete"`
	Fired        []string         `json:"fired"`

	Out        []map[string]any `json:"out"`
	Groups     []map[string]any `json:"groups"`
	Tie        bool             `json:"tie"`
	TieDecides bool             `json:"tie_decides"`
}

type oracleBytes struct {
	Name       string `json:"name"`
	Metadata   string `json:"metadata"`
	MemberID   string `json:"member_id"`
	Assignment string `json:"assignment"`
}

type oracleMember struct {
	MemberID string `json:"member_id"`
	Instance string `json:"group_instance_id"`
}

type oracleOffset struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
	Metadata  string `json:"metadata"`
	Epoch     *int32 `json:"leader_epoch"`
}

func (o oracleOffset) place() kafka.TopicPartition {
	return kafka.TopicPartition{Topic: o.Topic, Partition: o.Partition}
}

func parseTrace(line []byte) (*oracleTrace, error) {
	var t oracleTrace
	if err := decode(line, &t); err != nil {
		return nil, err
	}
	t.version, t.playable = kafka.ParseVersion(t.Kafka)
	return &t, nil
}

var oracleAPIs = map[string]kafka.API{
	"join": kafka.JoinGroup, "sync": kafka.SyncGroup, "heartbeat": kafka.Heartbeat, "leave": kafka.LeaveGroup,
	"commit": kafka.OffsetCommit, "txn_commit": kafka.TxnOffsetCommit, "fetch_offsets": kafka.OffsetFetch,
	"describe": kafka.DescribeGroups, "list": kafka.ListGroups, "delete_groups": kafka.DeleteGroups,
	"delete_offsets": kafka.OffsetDelete,
}

// request is the step as a request of the engine.
func (s *oracleStep) request(api kafka.API) *kafka.Request {
	r := &kafka.Request{API: api, Version: s.Version, Corr: s.Corr, ClientID: s.ClientID, ClientHost: s.ClientHost,
		Group: s.Group, MemberID: s.MemberID, InstanceID: s.Instance,
		SessionTimeoutMs: s.Session, RebalanceTimeoutMs: s.Rebalance, ProtocolType: s.Type, ProtocolName: s.Protocol,
		RetentionMs: -1, ProducerID: s.Producer, ProducerEpoch: s.Epoch, RequireStable: s.Stable,
		Groups: s.GroupIDs, States: s.States, Types: s.TypesFilter}
	if api == kafka.OffsetFetch && r.Version == 0 {
		r.Version = 7
	}
	if s.Generation != nil {
		r.Generation = *s.Generation
	}
	for _, p := range s.Protocols {
		r.Protocols = append(r.Protocols, kafka.Protocol{Name: p.Name, Metadata: unhex(p.Metadata)})
	}
	for _, a := range s.Assignments {
		r.Assignments = append(r.Assignments, kafka.MemberAssignment{MemberID: a.MemberID, Assignment: unhex(a.Assignment)})
	}
	for _, m := range s.Members {
		r.Members = append(r.Members, kafka.LeavingMember{MemberID: m.MemberID, InstanceID: m.Instance})
	}
	if s.RetentionMs != nil {
		r.RetentionMs, r.Version = *s.RetentionMs, 2
	}
	for _, o := range s.Offsets {
		epoch := int32(-1)
		if o.Epoch != nil {
			epoch = *o.Epoch
		}
		r.Offsets = append(r.Offsets, kafka.CommittedOffset{TopicPartition: o.place(), Offset: o.Offset, LeaderEpoch: epoch, Metadata: o.Metadata})
	}
	if s.Partitions == nil {
		r.AllPartitions = true
	} else {
		r.Partitions = s.places()
	}
	if api == kafka.DescribeGroups {
		r.Groups = []string{s.Group}
	}
	return r
}

func (s *oracleStep) places() []kafka.TopicPartition {
	list := []kafka.TopicPartition{}
	for _, p := range *s.Partitions {
		list = append(list, p.place())
	}
	return list
}

// UnmarshalJSON keeps a null id as "".
func (s *oracleStep) UnmarshalJSON(b []byte) error {
	type plain oracleStep
	return decode(b, (*plain)(s))
}

var _ json.Unmarshaler = (*oracleStep)(nil)

func unhex(s string) string {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
