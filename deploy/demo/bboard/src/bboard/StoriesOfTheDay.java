// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.sql.Connection;
import java.sql.SQLException;

/** The stories of one day (id days before the newest), best rated first. */
public final class StoriesOfTheDay extends Page {
    @Override
    Html show(Connection c, int id, String word) throws SQLException {
        Html html = new Html("Stories of the day");
        int days = id % 50;
        html.table("ViewStory", Query.rows(c,
            "SELECT s.id, s.title, COUNT(c.id), SUM(c.rating) FROM stories s LEFT JOIN comments c ON c.story = s.id"
            + " WHERE s.posted BETWEEN '2024-06-29' - INTERVAL ? DAY AND '2024-06-30' - INTERVAL ? DAY"
            + " GROUP BY s.id ORDER BY 4 DESC LIMIT 10", days, days));
        sidebar(c, html);
        return html;
    }
}
