# SPDX-License-Identifier: Apache-2.0
#
# Puma of the tracker: processes of some threads each, as its guides recommend; loopback only. The numbers come from
# start.sh.
bind "tcp://127.0.0.1:#{ENV.fetch('PUMA_PORT')}"
environment 'production'
workers Integer(ENV.fetch('WORKERS'))
threads(*[Integer(ENV.fetch('THREADS'))] * 2)
preload_app!
before_fork { ActiveRecord::Base.connection_pool.disconnect! }
