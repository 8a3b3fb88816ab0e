"""People who race at random over sockets, one at a seat or watching, and keep all that they are told."""
import json
import select
import time

import live

WATCHER = -1


class Connection:
    """One connection of a racer: what it had before, and the messages that came, as bytes."""

    def __init__(self, live, since):
        self.live = live
        self.since = since
        self.texts = []
        self.stands = False  # a state came
        self.muddled = False  # a refusal may have been that of either of two lines, so a later one may be the other's


class Racer:
    """Has the seat of a token, or watches. Sends an act whenever it is asked for one; does more when it is lively:
    changes plans, says phrases, asks what would be, sends lines twice, leaves the wheel and takes it again."""

    def __init__(self, server, id, dice, seat=WATCHER, token=None, lively=0.0):
        self.server, self.id, self.dice, self.seat, self.token, self.lively = server, id, dice, seat, token, lively
        self.connections = []
        self.entries = {}  # by number: the message, as bytes
        self.acts = []     # own ones that were confirmed, by this person or a bot, with their numbers
        self.pending = None   # an act that was sent, and of which nothing was heard yet
        self.uncertain = []   # acts that went with an earlier connection
        self.restarted = False
        self.again = 0        # lines sent for the second time, of which nothing but a refusal must come
        self.wheel = 0        # lines about who drives, of which neither an entry nor a refusal came yet
        self.state = None
        self.thinks_until = 0
        self.refused = []  # codes
        self.over = False

    def connect(self, since=None, restarted=False):
        """Goes on behind what it has, or anew from since. Of what was sent to a server that is dead, nothing is to
        come that does not come at once."""
        since = self.last if since is None else since
        self.restarted = restarted
        self._doubt()
        self.again, self.wheel, self.state = 0, 0, None
        self.connections.append(Connection(None, since))
        try:
            self.connections[-1].live = self.server.follow(self.id, self.token, since)
        except live.Closed as closed:
            assert closed.args[0] != 404, ("a table that was opened is gone", self.id)
            raise

    @property
    def live(self):
        return self.connections[-1].live

    @property
    def last(self):
        """The newest entry that it has, all before it being there too."""
        return len(self.entries)

    def hang_up(self):
        self.live.close()

    def hear(self):
        """Takes one message. What contradicts what was told before is an AssertionError."""
        connection = self.connections[-1]
        text = connection.live.next_text()
        connection.texts.append(text)
        message = json.loads(text)
        if message["m"] == "entry":
            self._take_entry(connection, message, text)
        elif message["m"] == "state":
            assert message["n"] == connection.since, ("a state of another moment", message["n"], connection.since)
            self.state = message
            self.thinks_until = time.monotonic() + (0.03 if self.dice.random() < 2 * self.lively else 0)
            if self.restarted and not connection.stands:
                self.uncertain = []
            connection.stands = True
            self.over = message["table"]["phase"] == "over"
        elif message["m"] == "error":
            assert message["code"] not in ("ahead", "wrong_token"), ("what was told is gone", self.id, message)
            self.refused.append(message["code"])
            if self.again > 0:
                self.again -= 1
            else:
                connection.muddled |= self.wheel > 0 and self.pending is not None
                self._doubt(alone=not connection.muddled and (self.restarted or len(self.connections) == 1))
                self.wheel = max(0, self.wheel - 1)
        return message

    def _take_entry(self, connection, message, text):
        n = message["n"]
        connection.since += 1
        assert n == connection.since, ("a gap, or one twice", n, connection.since)
        if n in self.entries:
            assert text == self.entries[n], ("told otherwise before", self.entries[n], text)
            return
        self.entries[n] = text
        if message["seat"] == self.seat and message["what"] in ("back", "leave", "bot"):
            self.wheel = max(0, self.wheel - 1)
        if message["seat"] == self.seat != WATCHER and "act" in message:
            self.acts.append((n, message["act"]))
            if message["what"] == "act":
                self._confirm(message["act"])

    def _doubt(self, alone=False):
        """The pending act is refused, or its connection is lost. It, or one of the same text, may come all the same,
        unless it was alone: an earlier connection may have left an act on the way, and the refusal may be that of a
        line about who drives, or the one that such a line was taken for."""
        if self.pending is not None and not alone:
            self.uncertain.append(self.pending)
        self.pending = None

    def _confirm(self, act):
        """Every act that comes was sent, and comes once."""
        assert act == self.pending or act in self.uncertain, (
            "not what was sent", act, self.pending, self.uncertain, self.connections[-1].texts[-8:])
        if act == self.pending:
            self.pending = None
        self.uncertain = []

    def say(self, line):
        self.live.send(line)

    def say_wheel(self, line):
        """A state may come that does not know of it yet, so that it is said again, and refused."""
        self.wheel += 1
        self.say(line)

    def send_act(self, act):
        line = f"act {self.state['n']} {act}"
        self.pending = act
        self.say(line)
        if self.dice.random() < self.lively:
            self.again += 1
            self.say(line)

    def decide(self):
        """Answers the state, if that asks for anything and was thought about. While an act is on its way it waits: if
        that is refused, nobody may ever tell the state again."""
        if self.state is None or self.pending is not None or time.monotonic() < self.thinks_until:
            return
        state, asked = self.state, self._asked()
        if asked == "away":
            self.say_wheel("back")
        elif asked and self.dice.random() < self.lively / 4:
            self.say_wheel(self.dice.choice(["leave", "bot rookie", "bot driver"]))
        elif asked:
            acts = state["acts"]
            if self.dice.random() < self.lively:
                self.say(f"phrase {self.dice.randint(1, 12)}")
                self.say("foresee " + self.dice.choice(acts))
            self.send_act("unplan" if asked == "planned" and self.dice.random() < 0.5 else self.dice.choice(acts))
        self.state = None

    def _asked(self):
        """What the state asks: "act", or of one who is lively "planned" or "away"; "" for nothing."""
        state = self.state
        if self.seat == WATCHER or self.over or "view" not in state:
            return ""
        lively = self.dice.random() < self.lively
        if state["table"]["seats"][self.seat]["away"]:
            return "away" if lively or self.lively == 0 else ""
        if state["view"]["cars"][self.seat]["planned"]:
            return "planned" if self.dice.random() < 4 * self.lively and "acts" in state else ""
        return "act" if "acts" in state else ""


def pump(racers, seconds):
    """Lets everybody hear what has come within that time, and answer. Raises what their sockets raise."""
    if any(racer.state is not None for racer in racers):
        seconds = 0.001  # somebody thinks
    by_socket = {racer.live.socket: racer for racer in racers}
    ready = [racer for racer in racers if len(racer.live.received) > racer.live.at]
    for racer in ready or [by_socket[s] for s in select.select(list(by_socket), [], [], seconds)[0]]:
        while racer.live.ready(0):
            racer.hear()
    for racer in racers:
        racer.decide()
