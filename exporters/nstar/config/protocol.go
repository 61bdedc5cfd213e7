// SPDX-License-Identifier: Apache-2.0

package config

import "slices"

// Protocol is how the messages of a tier's connections are separated.
type Protocol string

// The protocols that a rule may set.
const (
	// Auto lets the exporter decide from the bytes on the connection.
	Auto Protocol = "auto"
	// HTTP is HTTP/1.x.
	HTTP Protocol = "http"
	// AJP is Apache JServ Protocol 1.3, as mod_proxy_ajp speaks it.
	AJP Protocol = "ajp"
	// MySQL is the client/server protocol of MySQL and MariaDB.
	MySQL Protocol = "mysql"
	// TLS counts application data records and leaves the handshake out.
	TLS Protocol = "tls"
	// Turns is any protocol in which client and server take turns, one request
	// outstanding per connection.
	Turns Protocol = "turns"
	// Opaque is a protocol that can't be measured: connections are not looked at.
	Opaque Protocol = "opaque"
	// Postgres is PostgreSQL's protocol 3.
	Postgres Protocol = "postgres"
	// Redis is RESP, the protocol of Redis and compatible servers.
	Redis Protocol = "redis"
	// HTTP2 is HTTP/2 in clear, gRPC included.
	HTTP2 Protocol = "http2"
	// FastCGI is the protocol between web servers and PHP.
	FastCGI Protocol = "fastcgi"
	// Kafka is the protocol in which clients and brokers speak to a broker of Apache Kafka.
	Kafka Protocol = "kafka"
	// Cassandra is CQL's binary protocol.
	Cassandra Protocol = "cassandra"
	// MongoDB is its wire protocol.
	MongoDB Protocol = "mongodb"
	// Memcached is its text protocol.
	Memcached Protocol = "memcached"
	// OpenWire is the protocol of ActiveMQ Classic.
	OpenWire Protocol = "openwire"
	// Dubbo is the protocol of that name; Triple, the other one of Apache Dubbo, is HTTP2.
	Dubbo Protocol = "dubbo"
)

// protocols lists the valid values in the order of enum protocol in conn.h, in which errors name them, too.
var protocols = []Protocol{Auto, HTTP, AJP, MySQL, TLS, Turns, Opaque, Postgres, Redis, HTTP2, FastCGI, Kafka,
	Cassandra, MongoDB, Memcached, OpenWire, Dubbo}

// Number is the protocol's number in the kernel programs.
func (p Protocol) Number() uint32 { return uint32(max(0, slices.Index(protocols, p))) }
