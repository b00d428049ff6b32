"""The accepted findings: requests that the document allows and that the service refuses."""

import re
from urllib.parse import urlencode

import schemathesis
from schemathesis import GenerationMode
from schemathesis.generation.meta import GenerationInfo

# Code and message of an issue, and why the document cannot say it.
BASELINE = {
    r"cursor_unknown": "Only an answer has valid cursors, which are sealed.",
    r"(token_invalid|authorization_unknown)": "Valid tokens come by mail and from providers.",
    r"(return_url|target)_refused": "The settings, and DNS, decide which URLs are allowed.",
    r"not_in_future": "The time of the request decides.",
    r"(file_(unreadable|empty)|document_invalid)": "The bytes of a file have no schema.",
    r"required: The password": "Accounts without a password delete themselves without one.",
    r"custom: (Set |Omit |Name |Must contain each )": "Fields and items that exclude each other.",
    r"custom: Must not be empty": "Languages differ in what white space is: no pattern says it.",
    r"custom: Must be an IANA time zone": "The database of time zones decides.",
}


@schemathesis.hook
def filter_query(context, query):
    """Leaves out URLs that are too long for any operation: Node.js answers 431."""
    return not query or len(urlencode(query, doseq=True)) < 12_000


@schemathesis.hook
def after_call(context, case, response):
    """Counts a request as invalid when each issue of its answer is in the baseline."""
    if response.status_code != 400 or case.meta is None:
        return
    issues = [f"{issue['code']}: {issue['message']}" for issue in response.json()["issues"]]
    if all(any(re.match(line, issue) for line in BASELINE) for issue in issues):
        time = case.meta.generation.time
        case.meta.generation = GenerationInfo(time=time, mode=GenerationMode.NEGATIVE)
