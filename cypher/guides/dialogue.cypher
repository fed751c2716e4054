// A dialogue: what was said in it, and what that speaks of, asks for and releases.
// param  dialogue: string  Id of a dialogue, as evaluation.lowest_dialogues gives it, e.g. run-1/case-1/1
MATCH p = (:Dialogue {id: $dialogue})-[:HAS_TURN|ON_CASE|ABOUT|MENTIONS|ASKS_FOR|RELEASES*1..2]->()
RETURN p
LIMIT 100
