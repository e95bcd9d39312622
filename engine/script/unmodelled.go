package script

import (
	"slices"
	"strings"

	"rebalancelab/engine/kafka"
)

// The settings that Kafka has and the engine does not, so that they are told
// from typing errors.
const (
	unmodelledConsumer = "allow.auto.create.topics bootstrap.servers check.crcs client.dns.lookup client.rack " +
		"connections.max.idle.ms default.api.timeout.ms enable.metrics.push exclude.internal.topics fetch.max.bytes " +
		"fetch.max.wait.ms fetch.min.bytes interceptor.classes isolation.level key.deserializer " +
		"max.partition.fetch.bytes metric.reporters metrics.num.samples metrics.recording.level receive.buffer.bytes " +
		"reconnect.backoff.max.ms reconnect.backoff.ms security.protocol send.buffer.bytes " +
		"socket.connection.setup.timeout.ms value.deserializer"
	unmodelledBroker = "auto.create.topics.enable auto.leader.rebalance.enable broker.heartbeat.interval.ms broker.id " +
		"connections.max.idle.ms default.replication.factor group.coordinator.threads " +
		"leader.imbalance.per.broker.percentage listeners log.dirs log.retention.hours log.retention.ms " +
		"log.segment.bytes message.max.bytes min.insync.replicas node.id num.io.threads num.network.threads " +
		"num.partitions offsets.commit.required.acks offsets.load.buffer.size offsets.topic.segment.bytes " +
		"process.roles replica.lag.time.max.ms transactional.id.expiration.ms unclean.leader.election.enable " +
		"zookeeper.connect"
)

// unknownKey says what a key is that the line cannot have, or what was meant.
func unknownKey(key string, scope kafka.Scope, keys []string) string {
	unmodelled := strings.Fields(unmodelledConsumer + " " + unmodelledBroker)
	switch {
	case scope == 0 && (key == "keys" || key == "skew"):
		return key + "= is not modelled yet: records arrive in turn on all partitions"
	case strings.HasPrefix(key, "group.protocol") || strings.HasPrefix(key, "group.remote.") ||
		strings.HasPrefix(key, "group.consumer.") || strings.HasPrefix(key, "group.share.") ||
		key == "group.coordinator.rebalance.protocols":
		return key + " belongs to the consumer protocol (KIP-848), which is not modelled yet; groups are classic"
	case slices.Contains(unmodelled, key):
		return key + " is a Kafka setting that the engine does not model"
	case key == "group.id":
		return "group.id is written group="
	case scope == 0 && kafka.ConfigNamed(key) != kafka.NoConfig:
		return key + otherScope(kafka.ConfigNamed(key).Def().Scope)
	}
	whose := " is no key of this line"
	if strings.Contains(key, ".") && scope != 0 {
		whose = " is no setting of a consumer"
		if scope == kafka.BrokerScope {
			whose = " is no setting of a broker"
		}
	}
	message := suggestion(key, keys, configNames(scope), unmodelled)
	if message == "" && len(keys) > 0 && (scope == 0 || !strings.Contains(key, ".")) {
		message = "; its keys are " + listed(keys) + ", and settings"
		if scope == 0 {
			message = "; its keys are " + listed(keys)
		}
	}
	return key + whose + message
}

// configNames lists the modelled settings of a scope.
func configNames(scope kafka.Scope) []string {
	var list []string
	for c := kafka.NoConfig + 1; c < kafka.ConfigCount; c++ {
		if c.Def().Scope == scope {
			list = append(list, c.Def().Name)
		}
	}
	return list
}
