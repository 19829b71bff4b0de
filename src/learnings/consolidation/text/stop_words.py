"""Function words: they say nothing about the subject of an entry.

As `keywords` sees them: casefolded, without accents in Latin script. Short on purpose: a word that
most entries of a file use weighs little anyway. A list five times as long gave 0.35 F1 instead of
0.36 over the six passes at hand (benchmarks/README.md, Groups).
"""

from __future__ import annotations

_ENGLISH = """
about after all also always and any are because been before being both but can cannot could did
does done each even every for from get gets had has have here how into its itself just like made
make makes may more most much must need needs never new not now off once one only other our out over
own per same should since some still such than that the their them then there these they
this those three through too two under until use used uses using very via want was way were what
when where whether which while who why will with within without would you your
"""

_ROMANCE = """
ao aos as com como da das de del dela dele depois do dos e ela ele em entre era essa esse esta estao
este foi foram isso ja la las los mais mas muito na nao nas nem no nos nunca onde os ou para pela
pelas pelo pelos por porque quando que se sem sempre ser seu sua tambem tem todo todos toda todas um
uma antes cada con cuando donde el ella eso esto fue hay hasta pero puede sin sobre son su sus una y
avec ce ces cette dans des elle est et etre il ils je le les leur mais ne nous on ont par pas plus
pour qui sa sans ses sont sur tous tout une vous
"""

_GERMANIC = """
aber als am an auch auf aus bei bis das dass dem den der des die diese dieser dieses doch durch ein
eine einem einen einer er es fur hat im in ist jede jeder kann kein keine man mit muss nach nicht
noch nur oder ohne sich sie sind so um und uns von vor war was wenn werden wie wir wird zu zum zur
"""

_CYRILLIC = """
а без более бы был была были было быть в вам вас весь во вот все всегда всего всех вы где да даже
для до его ее если есть еще же за здесь и из или им их к как каждый какой когда кто ли может можно
мы на над надо не него нее нельзя нет ни них но нужно о об один он она они оно от перед по под после
потому при с сам сама сами само свой себя сначала со так также такой там тем то тогда того тоже
только том тот у уже хотя чего чем через что чтобы эта эти это этого этой этом этот я
"""

_ARABIC = """
في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي هو هي هم كان كانت يكون تكون لا لم لن ما أو او ثم
إن ان أن قد كل بعد قبل عند بين حتى إذا اذا لكن بل كما أي أيضا غير منذ حيث ليس فقط دائما يجب لأن
"""

_OTHER = """
그리고 그러나 하지만 그래서 또는 및 수 것 이 그 저 등 때 때문에 위해 대한 있는 있다 없는 한다 하는
और का के की को है हैं में से पर यह वह एक इस उस कि जो तो ही भी नहीं था थी थे कर लिए साथ
"""

STOP_WORDS = frozenset(f"{_ENGLISH} {_ROMANCE} {_GERMANIC} {_CYRILLIC} {_ARABIC} {_OTHER}".split())
"""Casefolded words."""

FUNCTION_CHARACTERS = "的了是在和就也都与及或把被让而但吗呢吧这那我你他她它们很之没有"
"""Characters of Chinese that stand between words as stop words do."""
