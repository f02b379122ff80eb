"""Facts of the kind ``middleware``: the pipeline that an application puts together, call by call."""
