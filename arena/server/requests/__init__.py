"""What every request passes, and how it is read and refused.

middleware        security headers, same-origin checks, authentication, language
parameters        numbers in URLs and forms
request_body      request bodies with a size limit
error_pages       errors as pages, or as JSON for scripts
"""
