// SPDX-License-Identifier: Apache-2.0

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Commands for a program that runs on, as paths of a server on loopback. */
final class Control {
  /** A command gets the query's parameters and answers with JSON. */
  interface Command {
    String run(Map<String, String> parameters) throws Exception;
  }

  private Control() {}

  /** Serves the commands, one at a time; what one throws is told with status 500. */
  static void serve(int port, Map<String, Command> commands) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    commands.forEach(
        (path, command) ->
            server.createContext(
                path,
                exchange -> {
                  int status = 200;
                  String answer;
                  try {
                    answer = command.run(parameters(exchange.getRequestURI().getRawQuery()));
                  } catch (Exception e) {
                    status = 500;
                    answer = e.toString();
                  }
                  byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                  exchange.sendResponseHeaders(status, body.length);
                  exchange.getResponseBody().write(body);
                  exchange.close();
                }));
    server.start();
  }

  static Map<String, String> parameters(String query) {
    Map<String, String> found = new HashMap<>();
    for (String pair : query == null ? new String[0] : query.split("&")) {
      String[] parts = pair.split("=", 2);
      found.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return found;
  }

  /** A parameter of the environment that is a number. */
  static int number(String name) {
    return Integer.parseInt(System.getenv(name));
  }
}
