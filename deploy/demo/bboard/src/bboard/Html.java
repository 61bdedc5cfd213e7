// SPDX-License-Identifier: Apache-2.0
package bboard;

import java.util.ArrayList;
import java.util.List;

/** A page under construction: lines of HTML, with every value escaped. */
final class Html {
    private final List<String> lines = new ArrayList<>();

    Html(String title) {
        lines.add("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escape(title) + "</title></head><body>");
        lines.add("<h1>" + escape(title) + "</h1>");
    }

    void heading(String text) {
        lines.add("<h2>" + escape(text) + "</h2>");
    }

    void paragraph(String text) {
        lines.add("<p>" + escape(text) + "</p>");
    }

    /** A table of all rows; a row's first column is an id and links to the given page. */
    void table(String page, List<String[]> rows) {
        lines.add("<table>");
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder("<tr>");
            line.append("<td><a href=\"").append(page).append("?id=").append(escape(row[0])).append("\">").append(escape(row[0])).append("</a></td>");
            for (int i = 1; i < row.length; i++) {
                line.append("<td>").append(escape(row[i])).append("</td>");
            }
            lines.add(line.append("</tr>").toString());
        }
        lines.add("</table>");
    }

    /** The finished lines; the page must not be added to afterwards. */
    List<String> lines() {
        lines.add("</body></html>");
        return lines;
    }

    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}
