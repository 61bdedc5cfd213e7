// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.sql.Connection;
import java.sql.SQLException;

/** An author with stories, comments and rank. */
public final class AuthorPage extends Page {
    @Override
    Html show(Connection c, int id, String word) throws SQLException {
        Html html = new Html("Author");
        html.table("AuthorPage", Query.rows(c, "SELECT id, nickname, joined, rating FROM authors WHERE id = ?", id));
        html.heading("Stories");
        html.table("ViewStory", Query.rows(c,
            "SELECT s.id, s.title, COUNT(c.id) FROM stories s LEFT JOIN comments c ON c.story = s.id WHERE s.author = ? GROUP BY s.id", id));
        html.heading("Comments");
        html.table("ViewComment", Query.rows(c,
            "SELECT c.id, c.subject, c.rating, s.title FROM comments c JOIN stories s ON s.id = c.story WHERE c.author = ?"
            + " ORDER BY c.rating DESC", id));
        html.heading("Rank");
        html.table("AuthorPage", Query.rows(c,
            "SELECT MAX(a.id), COUNT(*) FROM authors a WHERE a.rating > (SELECT rating FROM authors WHERE id = ?)", id));
        sidebar(c, html);
        return html;
    }
}
