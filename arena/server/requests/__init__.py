"""What every request passes, and how it is read and refused.

middleware        security headers, same-origin checks, authentication, language
parameters        numbers in URLs and forms
request_body      request bodies with a size limit
proxies           a proxy in front: under which address people reach the site, and who its clients are
error_pages       errors as pages, or as JSON for scripts
"""
