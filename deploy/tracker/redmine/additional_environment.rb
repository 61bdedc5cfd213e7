# SPDX-License-Identifier: Apache-2.0
#
# Redmine's place for settings of one's own. A fault on request: with ?outside=N in the address the page waits N ms for
# something that is no tier, before it asks the database anything.
outside = Class.new do
  def initialize(app)
    @app = app
  end

  def call(env)
    milliseconds = env['QUERY_STRING'][/\boutside=(\d+)/, 1].to_i
    sleep(milliseconds.clamp(0, 5000) / 1000.0) if milliseconds.positive?
    @app.call(env)
  end
end
config.middleware.insert_before 0, outside
