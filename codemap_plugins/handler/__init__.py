"""What handles messages, and what runs by itself: facts of the kinds ``handler`` and ``job``, and links of the roles ``sends`` and
``schedules``.

    plugin        the hooks
    kinds         the two kinds
    frameworks    the interfaces that handlers of known frameworks implement
    handlings     what the types of a document handle
    sends         calls that send a message
    functions     functions of Azure that are triggered otherwise than by a request
    jobs          hosted services and jobs of schedulers
    schedules     calls that say when a job runs
    meanings      calls that send, and what runs around handlers
    extractor     the two extractors
"""
