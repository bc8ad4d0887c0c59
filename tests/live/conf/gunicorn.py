bind = "127.0.0.1:@PORT@"
worker_class = "gthread"
threads = 32
accesslog = "@DIR@/access.log"
access_log_format = (
    '%(h)s %(l)s %(u)s %(t)s "%(r)s" %(s)s %(b)s "%(f)s" "%(a)s" %(L)s'
)
