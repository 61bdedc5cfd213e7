// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.sql.Connection;
import java.sql.SQLException;

/** One story, its comments, and who comments best around it. */
public final class ViewStory extends Page {
    @Override
    Html show(Connection c, int id, String word) throws SQLException {
        Html html = new Html("Story");
        html.table("ViewStory", Query.rows(c, "SELECT id, title, body, posted, author FROM stories WHERE id = ?", id));
        html.heading("Comments");
        html.table("ViewComment", Query.rows(c,
            "SELECT c.id, c.parent, c.subject, c.body, c.rating, a.nickname FROM comments c JOIN authors a ON a.id = c.author"
            + " WHERE c.story = ? ORDER BY c.posted", id));
        html.heading("Best commenters nearby");
        html.table("AuthorPage", Query.rows(c,
            "SELECT a.id, a.nickname, COUNT(*), AVG(c.rating) FROM comments c JOIN authors a ON a.id = c.author"
            + " WHERE c.story BETWEEN ? AND ? GROUP BY a.id ORDER BY 4 DESC LIMIT 5", id, id + 30));
        sidebar(c, html);
        return html;
    }
}
