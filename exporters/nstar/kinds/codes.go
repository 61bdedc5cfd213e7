// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mirrors of stream_kinds.h and of enum protocol in conn.h.
const (
	nodeOfCode        uint32 = 1 << 31
	protocolKafka     uint32 = 11
	protocolCassandra uint32 = 12
)

// kafkaKeysMax is the largest API key that the kernel side takes for one.
const kafkaKeysMax = 127

// kafkaKeys are the requests of Kafka 3.9 by their API key, as its protocol guide names them.
var kafkaKeys = []string{
	"Produce", "Fetch", "ListOffsets", "Metadata", "LeaderAndIsr", "StopReplica", "UpdateMetadata",
	"ControlledShutdown", "OffsetCommit", "OffsetFetch", "FindCoordinator", "JoinGroup", "Heartbeat", "LeaveGroup",
	"SyncGroup", "DescribeGroups", "ListGroups", "SaslHandshake", "ApiVersions", "CreateTopics", "DeleteTopics",
	"DeleteRecords", "InitProducerId", "OffsetForLeaderEpoch", "AddPartitionsToTxn", "AddOffsetsToTxn", "EndTxn",
	"WriteTxnMarkers", "TxnOffsetCommit", "DescribeAcls", "CreateAcls", "DeleteAcls", "DescribeConfigs",
	"AlterConfigs", "AlterReplicaLogDirs", "DescribeLogDirs", "SaslAuthenticate", "CreatePartitions",
	"CreateDelegationToken", "RenewDelegationToken", "ExpireDelegationToken", "DescribeDelegationToken",
	"DeleteGroups", "ElectLeaders", "IncrementalAlterConfigs", "AlterPartitionReassignments",
	"ListPartitionReassignments", "OffsetDelete", "DescribeClientQuotas", "AlterClientQuotas",
	"DescribeUserScramCredentials", "AlterUserScramCredentials", "Vote", "BeginQuorumEpoch", "EndQuorumEpoch",
	"DescribeQuorum", "AlterPartition", "UpdateFeatures", "Envelope", "FetchSnapshot", "DescribeCluster",
	"DescribeProducers", "BrokerRegistration", "BrokerHeartbeat", "UnregisterBroker", "DescribeTransactions",
	"ListTransactions", "AllocateProducerIds", "ConsumerGroupHeartbeat", "ConsumerGroupDescribe",
	"ControllerRegistration", "GetTelemetrySubscriptions", "PushTelemetry", "AssignReplicasToDirs",
	"ListClientMetricsResources", "DescribeTopicPartitions", "ShareGroupHeartbeat", "ShareGroupDescribe",
	"ShareFetch", "ShareAcknowledge", "AddRaftVoter", "RemoveRaftVoter", "UpdateRaftVoter",
	"InitializeShareGroupState", "ReadShareGroupState", "WriteShareGroupState", "DeleteShareGroupState",
	"ReadShareGroupStateSummary",
}

// kafkaWaits are the requests that wait on purpose for other clients' actions: they are in no queue (waits.h).
var kafkaWaits = []int{1, 11, 14, 78}

// cqlOpcodes are the requests of CQL's binary protocol, section 4.1 of its specification. Its other messages log in,
// register or keep the connection alive, and are none.
var cqlOpcodes = map[string]uint32{"QUERY": 0x07, "PREPARE": 0x09, "EXECUTE": 0x0a, "BATCH": 0x0d}

var errWaits = errors.New("waits on purpose for what others do, and is counted in nstar_tier_waits_total only")

// ofCode is a kind given by a number in the header of a request: there is nothing to walk through.
func ofCode(protocol, code uint32) Pattern { return Pattern{code: nodeOfCode | protocol<<8 | code} }

// kafka reads an API key, as a name or, for those that this package does not know, as a number.
func kafka(request string) (Pattern, error) {
	key := slices.IndexFunc(kafkaKeys, func(name string) bool { return strings.EqualFold(name, request) })
	if key < 0 {
		n, err := strconv.ParseUint(request, 10, 8)
		if err != nil || n > kafkaKeysMax {
			return Pattern{}, fmt.Errorf("names no request of Kafka (Produce, Metadata, or its API key up to %d)",
				kafkaKeysMax)
		}
		key = int(n)
	}
	if slices.Contains(kafkaWaits, key) {
		return Pattern{}, errWaits
	}
	return ofCode(protocolKafka, uint32(key)), nil
}

// cql reads an opcode.
func cql(request string) (Pattern, error) {
	code, ok := cqlOpcodes[strings.ToUpper(request)]
	if !ok {
		return Pattern{}, errors.New("names no request of CQL (QUERY, PREPARE, EXECUTE or BATCH)")
	}
	return ofCode(protocolCassandra, code), nil
}
