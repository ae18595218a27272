"""What comes of a request, by the standard's text."""

def outcome(request, read, variant, update):
    """The order of the access and the value that it writes, or None. update: of the request `update`."""
    verb = request[0]
    if verb in ("load", "wait"):
        return request[2], None
    if verb == "store":
        return request[2], request[3]
    if verb == "update":
        return request[2], update
    if verb in ("strong", "weak", "retry"):
        succeeds = read == request[4] and variant == 0
        return (request[2], request[5]) if succeeds else (request[3], None)
    if verb in ("lock", "try_lock"):
        succeeds = read == 0 and variant == 0
        return (request[2], request[3]) if succeeds else ("relaxed", None)
    return (request[1], None) if verb == "fence" else ("relaxed", None)


def goes_on(request, read):
    """Whether a thread that reads this goes on: it waits for another value otherwise."""
    if request[0] == "wait":
        return read != request[3]
    if request[0] == "lock":
        return read == 0
    return request[0] != "retry" or read == request[4]


def variants(request, read, before):
    """How many outcomes are open. before: the thread's steps. It fails spuriously once for each kind."""
    if request[0] == "choose":
        return request[1]
    suffers = request[0] == "weak" and read == request[4] or request[0] == "try_lock" and read == 0
    kind = {"weak": ("weak", "strong"), "try_lock": ("try_lock",)}.get(request[0], ())
    if suffers and not any(step.variant and step.request[0] in kind for step in before):
        return 2
    return 1


def repeats(steps, asked):
    """Whether a thread that yields here has done the same as before its last yield here, and has changed nothing."""
    yields = [n for n, step in enumerate(steps) if step.request[0] == "yield"]
    if not yields or steps[yields[-1]].request != asked:
        return False
    real = [step for step in steps if step.request[0] != "yield"]
    size = len(steps) - 1 - yields[-1]
    last, before = real[len(real) - size:], real[max(0, len(real) - 2 * size):len(real) - size]
    alike = [(step.request, step.read, step.variant) for step in last] == [
        (step.request, step.read, step.variant) for step in before]
    return size > 0 and alike and all(step.written in (None, step.read) for step in last)
