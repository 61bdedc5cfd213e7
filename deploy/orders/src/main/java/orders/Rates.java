// SPDX-License-Identifier: Apache-2.0

package orders;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The rate of exchange, which the pages of products read and which is fetched anew every two seconds. Whoever reads it
 * while it is fetched waits; in Java 21 a virtual thread that sleeps in a synchronized method, or waits for one, keeps
 * its carrier meanwhile.
 */
@Component
class Rates {
	/** Milliseconds that fetching takes; 0: it is not fetched. */
	private final long block;
	private double rate = 1;

	Rates(@Value("${block}") long block) {
		this.block = block;
	}

	synchronized double now() {
		return rate;
	}

	@Scheduled(fixedRate = 2000)
	synchronized void fetch() throws InterruptedException {
		if (block > 0) {
			Thread.sleep(block);
			rate = rate == 1 ? 1.01 : 1;
		}
	}
}
