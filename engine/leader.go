package engine

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/tape"
)

// offsetsPartition is one partition of __consumer_offsets: its log lives on
// every replica, so it survives its leader.
type offsetsPartition struct {
	id     int32
	leader event.Node // 0: none
	epoch  int32      // leader epoch: counts its leaders
	log    tape.Tape[kafka.Record]
}

func (p *offsetsPartition) clone() *offsetsPartition {
	c := *p
	c.log = p.log.Clone()
	return &c
}

// replicas is the number of replicas that each partition has.
func (w *World) replicas() int32 {
	factor := int32(w.scenario.BrokerSettings.Values[kafka.OffsetsTopicReplicationFactor])
	return min(factor, int32(len(w.brokers)))
}

// preferred is the first replica of partition p of any topic: broker (p mod N)+1.
func (w *World) preferred(partition int32) event.Node {
	return event.Node(partition%int32(len(w.brokers)) + 1)
}

// electLeader is the first living replica of a partition other than except, 0
// if none lives.
func (w *World) electLeader(partition int32, except *broker) event.Node {
	n := int32(len(w.brokers))
	for i := range w.replicas() {
		b := w.brokers[(partition+i)%n]
		if b.up && b != except {
			return b.node()
		}
	}
	return 0
}

func (w *World) addTopic(t Topic) {
	made := newTopic(t)
	for p := range t.Partitions {
		made.leaders = append(made.leaders, w.preferred(p))
	}
	w.topics = append(w.topics, made)
}

func (w *World) createOffsetsTopic() {
	for p := range offsetsPartitions(w.scenario) {
		w.offsets = append(w.offsets, &offsetsPartition{id: p, leader: w.electLeader(p, nil)})
	}
}

// offsetsTopicReady ends the creation of __consumer_offsets.
func (w *World) offsetsTopicReady(cause uint64) {
	w.createOffsetsTopic()
	w.creating = false
	seq := w.event(event.Event{Kind: event.OffsetsTopicCreated, Cause: cause, N: int64(len(w.offsets))})
	for _, p := range w.offsets {
		if p.leader != 0 {
			w.queueLoad(w.broker(p.leader), p.id, seq)
		}
	}
}

// findCoordinator answers from the cluster's metadata, as every broker can:
// the leader of the group's partition (KafkaApis.handleFindCoordinatorRequest).
func (w *World) findCoordinator(b *broker, r *kafka.Request, cause uint64) kafka.Response {
	answer := kafka.Response{API: r.API, Corr: r.Corr, Error: kafka.CoordinatorNotAvailable, Node: -1}
	if len(w.offsets) == 0 {
		w.requestOffsetsTopic(b, cause)
		return answer
	}
	p := w.offsets[kafka.OffsetsPartition(r.Group, int32(len(w.offsets)))]
	if p.leader != 0 {
		answer.Error, answer.Node = kafka.None, int32(p.leader)
	}
	return answer
}

// requestOffsetsTopic begins the creation of __consumer_offsets. Since 0.11 it
// is refused while fewer brokers live than the replication factor asks for.
func (w *World) requestOffsetsTopic(b *broker, cause uint64) {
	alive := int64(0)
	for _, other := range w.brokers {
		if other.up {
			alive++
		}
	}
	enough := alive >= b.settings.Values[kafka.OffsetsTopicReplicationFactor] || w.scenario.Version.Before(0, 11, 0)
	if !w.creating && enough {
		w.creating = true
		w.add(offsetsTopicReady, w.now.Add(w.scenario.Network.Append), 0, 0, cause)
	}
}

// moveLeaders gives a new leader to every partition that choose names one for.
// The old coordinator unloads what it led, the new one reads the log.
func (w *World) moveLeaders(cause uint64, choose func(partition int32, now event.Node) event.Node) {
	moved := false
	for _, p := range w.offsets {
		to := choose(p.id, p.leader)
		if to == p.leader {
			continue
		}
		moved = true
		from := p.leader
		p.leader = to
		p.epoch++
		seq := w.visible(p.id, event.Event{Kind: event.LeaderMoved, At: w.now, Cause: cause, Node: to, Peer: from, Generation: p.epoch, Partition: offsetsTopicPartition(p.id)})
		if from != 0 && w.broker(from).up {
			old := w.broker(from)
			old.coordinator.Unload(w.now, p.id, seq, &w.out)
			w.flush(old, 0)
		}
		if to != 0 {
			w.queueLoad(w.broker(to), p.id, seq)
		}
	}
	for _, t := range w.topics {
		for i := range t.leaders {
			to := choose(int32(i), t.leaders[i])
			if to != t.leaders[i] {
				moved = true
				w.event(event.Event{Kind: event.LeaderMoved, Cause: cause, Node: to, Peer: t.leaders[i],
					Partition: kafka.TopicPartition{Topic: t.Name, Partition: int32(i)}})
				t.leaders[i] = to
			}
		}
	}
	if moved {
		w.poke()
	}
}

// leaveLeadership moves everything that a broker leads to other replicas.
func (w *World) leaveLeadership(b *broker, cause uint64) {
	w.moveLeaders(cause, func(partition int32, now event.Node) event.Node {
		if now == b.node() {
			return w.electLeader(partition, b)
		}
		return now
	})
}

// stopBroker is a controlled shutdown: leadership moves first.
func (w *World) stopBroker(b *broker, cause uint64) {
	w.leaveLeadership(b, cause)
	w.brokerDown(b, "stopped", cause)
}

// killBroker ends the process at once. The controller notices when the broker's
// session has expired.
func (w *World) killBroker(b *broker, cause uint64) {
	seq := w.brokerDown(b, "killed", cause)
	b.downSince = w.now
	w.add(leaderLost, w.now.Add(b.millis(w.brokerSession())), b.index, int64(b.starts), seq)
}

// brokerSession is the setting after which the controller takes a silent broker
// for dead: KRaft's since 3.3, ZooKeeper's before.
func (w *World) brokerSession() kafka.Config {
	if w.scenario.Version.Before(3, 3, 0) {
		return kafka.ZookeeperSessionTimeoutMs
	}
	return kafka.BrokerSessionTimeoutMs
}

func (w *World) brokerDown(b *broker, how string, cause uint64) uint64 {
	seq := w.event(event.Event{Kind: event.BrokerDown, Cause: cause, Node: b.node(), Text: how})
	b.up, b.coordinator, b.due = false, nil, clock.Never
	b.appends, b.loads = tape.Queue[pendingAppend]{}, nil
	for _, p := range w.processes {
		for i := range p.conns {
			if c := &p.conns[i]; c.broker == b.index {
				w.loseConnection(p, c, w.latency(b.node(), p.node), seq)
			}
		}
	}
	return seq
}

func (w *World) brokerSessionExpired(b *broker, item clock.Item) {
	if b.up || int64(b.starts) != item.Arg {
		return
	}
	seq := w.event(event.Event{Kind: event.TimerFired, Cause: item.Cause, Node: b.node(), Config: w.brokerSession()})
	b.downSince = clock.Never
	w.leaveLeadership(b, seq)
	if b.waits {
		w.startBroker(b, seq)
	}
}

// startBroker brings a broker back: it leads what nobody leads. While the session
// of its killed predecessor lasts, the controller refuses its registration
// (DUPLICATE_BROKER_REGISTRATION; with ZooKeeper its node is still there).
func (w *World) startBroker(b *broker, cause uint64) {
	if b.downSince != clock.Never {
		b.waits = true
		return
	}
	b.start(w.scenario)
	seq := w.event(event.Event{Kind: event.BrokerUp, Cause: cause, Node: b.node()})
	w.moveLeaders(seq, func(partition int32, now event.Node) event.Node {
		if now == 0 {
			return w.electLeader(partition, nil)
		}
		return now
	})
	w.add(cleanupDue, w.now.Add(b.millis(kafka.OffsetsRetentionCheckIntervalMs)), b.index, int64(b.starts), seq)
	w.poke()
}

// balanceLeaders gives partitions back to their first replica, if it lives.
func (w *World) balanceLeaders() {
	cause := w.log.Routine(event.Event{Kind: event.TimerFired, At: w.now, Cause: w.root, Config: kafka.LeaderImbalanceCheckIntervalSeconds})
	w.moveLeaders(cause, func(partition int32, now event.Node) event.Node {
		first := w.preferred(partition)
		if w.broker(first).up {
			return first
		}
		return now
	})
	interval := w.scenario.BrokerSettings.Values[kafka.LeaderImbalanceCheckIntervalSeconds]
	w.add(leadersBalanced, w.now.Add(clock.Duration(interval)*clock.Second), 0, 0, 0)
}
