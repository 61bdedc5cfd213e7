// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"strconv"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed mqtt.py
var mqttClient string

// startMosquitto is a broker of MQTT under paho's clients, each kind of which is there in the versions 3.1.1 and 5.
func startMosquitto(b *bed.Bed, programs, python string) (*broker, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &broker{subject: subject{name: "mosquitto", port: port}}
	if python == "" {
		return s, nil
	}
	script, err := b.Write("client.py", mqttClient)
	if err != nil {
		return nil, err
	}
	config, err := b.Write("mosquitto.conf",
		fmt.Sprintf("listener %d 127.0.0.1\nallow_anonymous true\nuser root\n", port))
	if err != nil {
		return nil, err
	}
	if _, err := b.Start("mosquitto", programs+"/usr/sbin/mosquitto", "-c", config); err != nil {
		return nil, err
	}
	s.loads = loadsOf([][2]string{
		{"qos0", "paho, quality of service 0"}, {"qos1", "paho, quality of service 1"},
		{"qos2", "paho, quality of service 2"}, {"bursts", "paho, a hundred messages at once"},
		{"large", "paho, messages of 300 kB"}, {"listen", "paho, who only listen, and to nobody"},
	}, strconv.Itoa(port), python, script)
	return s, listening(port)
}
