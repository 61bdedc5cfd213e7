// SPDX-License-Identifier: Apache-2.0

package orders;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.springframework.stereotype.Component;

/** What is computed in the service itself. */
@Component
class Advice {
	private static final int PRODUCTS = 10_000, TRAITS = 8, STEPS = 30_000;

	private final Store store;
	private final float[][] traits = new float[PRODUCTS + 1][TRAITS];

	Advice(Store store) {
		this.store = store;
		Random random = new Random(1);
		for (float[] of : traits) {
			for (int i = 0; i < TRAITS; i++) {
				of[i] = random.nextFloat();
			}
		}
	}

	/** like are the ten products that are most like those that a customer bought. */
	List<Integer> like(int customer) {
		double[] score = new double[PRODUCTS + 1];
		for (int bought : store.bought(customer)) {
			for (int p = 1; p <= PRODUCTS; p++) {
				for (int i = 0; i < TRAITS; i++) {
					score[p] += traits[bought][i] * traits[p][i];
				}
			}
		}
		return IntStream.rangeClosed(1, PRODUCTS).boxed().sorted(Comparator.comparingDouble(p -> -score[p])).limit(10)
				.toList();
	}

	/** forecast is the smoothed sum that explains best what was sold: each weight is tried. */
	double forecast(List<Long> sold) {
		double best = Double.MAX_VALUE, out = 0;
		for (int w = 1; w < STEPS; w++) {
			double smoothed = 0, wrong = 0;
			for (long s : sold) {
				wrong += (s - smoothed) * (s - smoothed);
				smoothed += (s - smoothed) * w / (double) STEPS;
			}
			if (wrong < best) {
				best = wrong;
				out = smoothed;
			}
		}
		return out;
	}
}
