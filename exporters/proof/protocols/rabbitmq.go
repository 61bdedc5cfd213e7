// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

var (
	//go:embed amqp.py
	amqpClient string
	//go:embed stomp.py
	stompClient string
)

// startAMQP is RabbitMQ under pika.
func startAMQP(b *bed.Bed, programs, python string) (*broker, error) {
	return startRabbitMQ(b, programs, python, "AMQP_PORT", amqpClient, [][2]string{
		{"publish", "pika, two publish, two consume, one each with acknowledgements"},
		{"large", "pika, messages of 300 kB"}, {"listen", "pika, who only consume, and nobody publishes"},
	})
}

// startSTOMP is RabbitMQ's plugin for STOMP under stomp.py.
func startSTOMP(b *bed.Bed, programs, python string) (*broker, error) {
	return startRabbitMQ(b, programs, python, "STOMP_PORT", stompClient, [][2]string{
		{"publish", "stomp.py, one publishes, two listen, one of which acknowledges"},
		{"large", "stomp.py, messages of 300 kB"}, {"listen", "stomp.py, who only listen, and to nobody"},
	})
}

// startRabbitMQ measures one of its two ports.
func startRabbitMQ(b *bed.Bed, programs, python, measured, client string, loads [][2]string) (*broker, error) {
	names := map[string]string{"AMQP_PORT": "rabbitmq-amqp", "STOMP_PORT": "rabbitmq-stomp"}
	s := &broker{subject: subject{name: names[measured]}}
	if python == "" {
		return s, nil
	}
	script, err := b.Write("client.py", client)
	if err != nil {
		return nil, err
	}
	runner, err := filepath.Abs("exporters/proof/protocols/rabbitmq.sh")
	if err != nil {
		return nil, err
	}
	command := []string{"env", "DEBIAN=" + programs}
	ports := map[string]int{}
	for _, name := range []string{"AMQP_PORT", "STOMP_PORT", "EPMD_PORT", "CLUSTER_PORT"} {
		if ports[name], err = bed.FreePort(); err != nil {
			return nil, err
		}
		command = append(command, fmt.Sprint(name, "=", ports[name]))
	}
	s.port = ports[measured]
	dir := b.Path("rabbitmq")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if _, err := b.Start("epmd", append(command, runner, "epmd")...); err != nil {
		return nil, err
	}
	if err := listening(ports["EPMD_PORT"]); err != nil {
		return nil, err
	}
	if _, err := b.Start("rabbitmq", append(command, runner, "rabbitmq", dir)...); err != nil {
		return nil, err
	}
	s.loads = loadsOf(loads, strconv.Itoa(s.port), python, script)
	return s, listening(s.port)
}
