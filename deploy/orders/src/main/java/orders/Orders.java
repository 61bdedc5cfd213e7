// SPDX-License-Identifier: Apache-2.0

package orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** An order service as most shops write it: Spring MVC, JdbcTemplate, and products in Redis. */
@SpringBootApplication
@EnableScheduling
public class Orders {
	public static void main(String[] args) {
		SpringApplication.run(Orders.class, args);
	}
}
