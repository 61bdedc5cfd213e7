# SPDX-License-Identifier: Apache-2.0
"""Learns from load experiments to say whether a server has reached its capacity, and writes what it learned as
recording rules for Prometheus. docs/learning.md explains it; the method is that of chapter 4 of the thesis on reliable
indicators of performance bottlenecks."""

CLASSES = ("client", "gray", "server")
CLIENT, GRAY, SERVER = range(3)
