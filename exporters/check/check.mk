# SPDX-License-Identifier: Apache-2.0

.PHONY: check-exporters

check-exporters: setup ## start the real systems of exporters/ with a small load, and fail if a series is gone or stands still (8 minutes)
	exporters/check/check.sh $(SYSTEMS)
