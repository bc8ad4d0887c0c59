//! The lines to add to a server's configuration so that its log can answer.

/// Servers there are lines for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// nginx and what is built on it.
    Nginx,
    /// Caddy.
    Caddy,
    /// Apache httpd.
    Apache,
    /// HAProxy.
    Haproxy,
    /// Cloudflare Logpush and Workers.
    Cloudflare,
}

impl Server {
    /// The lines, ready to paste, with the reasons as comments.
    pub fn lines(self) -> &'static str {
        match self {
            Server::Nginx => NGINX,
            Server::Caddy => CADDY,
            Server::Apache => APACHE,
            Server::Haproxy => HAPROXY,
            Server::Cloudflare => CLOUDFLARE,
        }
    }
}

/// The format ends with fields by name, so that tools that read `combined`
/// still do.
const NGINX: &str = r#"# nginx: in the http block.
# $request_time is how long the stream was held, $msec its end to the
# millisecond, $request_completion is empty when the client left first, and
# $http_mcp_method is the only place that names an MCP listen stream.
log_format streamleak '$remote_addr - $remote_user [$time_local] "$request" '
    '$status $body_bytes_sent "$http_referer" "$http_user_agent" '
    'rt=$request_time msec=$msec rc="$request_completion" '
    'mm="$http_mcp_method" sid="$http_mcp_session_id" rid=$request_id';
access_log /var/log/nginx/access.log streamleak;

# Streams still open are not logged: nginx writes its line when a request
# ends. To know them too, log the opening. Each request below is mirrored to
# a location that only writes a line; both lines carry the same request id.
log_format streamleak_open '$remote_addr - $remote_user [$time_local] '
    '"$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" '
    'rt=$request_time msec=$msec mm="$http_mcp_method" '
    'sid="$http_mcp_session_id" rid=$request_id ev=open';

# In the server block, with your own proxy_pass and path:
location /mcp {
    mirror /_open;
    mirror_request_body off;
    proxy_pass http://your_upstream;
    proxy_buffering off;
}
location = /_open {
    internal;
    log_subrequest on;
    access_log /var/log/nginx/open.log streamleak_open;
    return 204;
}

# Then: streamleak /var/log/nginx/access.log /var/log/nginx/open.log
"#;

const CADDY: &str = r#"# Caddy: in the site block. Its JSON log has all that is needed: `ts` is the
# end, `duration` the hold, and the request's headers are in it.
log {
    output file /var/log/caddy/access.log
    format json
}

# Then: streamleak /var/log/caddy/access.log
"#;

const APACHE: &str = r#"# Apache httpd: in the server or virtual host.
# %t is the START of the request, %D its duration in microseconds, %X is `X`
# when the client left before the response was complete.
LogFormat "%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\" D=%D begin=%{begin:msec}t end=%{end:msec}t X=%X mm=\"%{Mcp-Method}i\" sid=\"%{Mcp-Session-Id}i\" rid=%{UNIQUE_ID}e" streamleak
CustomLog ${APACHE_LOG_DIR}/access.log streamleak

# %{UNIQUE_ID}e needs mod_unique_id: a2enmod unique_id
# Then: streamleak /var/log/apache2/access.log
"#;

const HAPROXY: &str = r#"# HAProxy: in the frontend. The line is written when the stream ends. It looks
# like nginx's; %trg is the START of the request, %Ta how long it was held in
# milliseconds, %ts who ended it.
http-request capture req.hdr(User-Agent) len 128
http-request capture req.hdr(Mcp-Method) len 64
log-format "%ci - - [%trg] %{+Q}r %ST %B \"-\" \"%[capture.req.hdr(0)]\" Ta=%Ta ts=%ts mm=\"%[capture.req.hdr(1)]\""

# Then: streamleak /var/log/haproxy.log
"#;

const CLOUDFLARE: &str = r#"# Cloudflare Logpush, dataset http_requests: select at least these fields.
# Both ends of a stream are in the row. rfc3339 and unix cut times to the
# second; take unixnano.
{
  "dataset": "http_requests",
  "output_options": {
    "field_names": ["EdgeStartTimestamp", "EdgeEndTimestamp",
      "ClientIP", "ClientRequestUserAgent", "ClientRequestMethod",
      "ClientRequestURI", "ClientRequestPath", "ClientRequestSource",
      "EdgeResponseStatus", "RayID", "RequestHeaders"],
    "timestamp_format": "unixnano",
    "sample_rate": 1
  }
}
# RequestHeaders holds only the headers that a custom field names: add
# `mcp-method` (Rules > Custom fields, or the ruleset phase
# http_log_custom_fields), the only place that names an MCP listen stream.
# Then: streamleak *.log.gz

# Cloudflare Workers, live:
#   npx wrangler tail --format json | streamleak --arrival -
# An event comes when its stream ends; the wall time in it is not the hold of
# a streamed body, so the time of its arrival is taken for the end.
"#;
