# SPDX-License-Identifier: Apache-2.0

.PHONY: check-study

check-study: setup ## hold the study's categories against synthetic evolutions of known pattern, at three levels of noise
	@go run ./exporters/proof/study $(ARGS)
