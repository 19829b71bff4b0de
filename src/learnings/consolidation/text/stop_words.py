"""Words that say nothing about the subject of an entry, in the languages memory files are in.

All of them as `keywords` sees them: casefolded, without accents in Latin script, without
apostrophes.
"""

from __future__ import annotations

_ENGLISH = """
a about above across actually after again against ago all almost alone along already also although
always am among an and another any anyone anything anyway anywhere are arent around as ask at away
back be became because become been before began behind being below best better between both but by
call came can cannot cant cause certain come could couldnt did didnt different do does doesnt doing
done dont down due during each either else enough especially etc even ever every everyone everything
exactly except far few find first following follow for found from full fully further gave get gets
getting give given gives go goes going gone good got had hadnt happen happened happens hard has
hasnt have havent having he hence her here hers herself him himself his how however i id if ill im
in indeed instead into is isnt it itd itll its itself ive just keep keeps kept know known last later
least left less let lets like likely little ll long longer look looks lot made mainly make makes
making many may maybe me mean means meant meanwhile might mine more moreover most mostly much must
my myself near nearly need needed needs neither never nevertheless new next no nobody none nor not
nothing now nowhere of off often oh ok okay old on once one ones only onto or other others otherwise
our ours ourselves out over own part per perhaps please put quite rather re really s said same saw
say says second see seem seemed seems seen several shall she should shouldnt show since so some
somebody somehow someone something sometimes somewhat somewhere soon still such sure t take taken
takes taking tell than that thats the their theirs them themselves then there therefore theres these
they theyre theyve thing things think this those though three through throughout thus to together
too took toward towards two under unless until up upon us use used useful uses using usually ve
very via want wanted wants was wasnt way ways we well went were werent weve what whatever when
whenever where whereas wherever whether which while who whole whom whose why will with within
without wont would wouldnt yes yet you youd youll your youre yours yourself yourselves youve
"""

_ROMANCE = """
ao aos aqui cada como com da das de del dela dele des desde do dos du ela ele eles elas em en
entao entre era esa ese eso esse essa esta estao estar este esto est et eu foi foram ha isso isto
ja la las lhe los mais mas mesmo meu minha muito na nao nas nem no nos nossa nosso num numa onde
os ou para pela pelas pelo pelos pero por porque pode qual quando que quem se sem sao ser seu
seus si so sobre sua suas sus tal tambem te tem tudo um uma umas uns vai voce al algo algunos
ante antes aunque bien cada con cual cuando donde dos el ella ellas ellos entonces eran eres esta
estan estas estos fue fueron hay hasta hacer le les lo mi mis mucho muy nada ni otra otro otros
puede poco pues quien sea sido sin son su tambien tiene todo todos tras una uno unos usted ya yo
au aux avec ce ceci cela ces cet cette comme dans donc elle elles etait etaient etre fait il ils
je leur leurs lui meme mes moi mon ne notre nous nos on ont par pas peu plus pour qu quel quelle
qui sa sans ses sont sous sur ta tous tout toute toutes tres un une vos votre vous alla anche che
chi ci cui degli dei della delle di gli ho io loro ma nel nella non perche piu quale quella
quello questa questo sono suo tra tutto
"""

_GERMANIC = """
aber alle allem allen aller alles als also andere anderen auch auf aus bei beim bin bis bist da
dadurch daher damit dann darf darum das dass dein dem den denn der deren des dessen dich die dies
diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines er es euch fur
gegen hab habe haben hat hatte hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren im immer ist ja
jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen konnen mehr mein mich mir mit
muss mussen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen sich
sie sind soll sollen sollte sonst uber um und uns unser unter viel vom von vor war waren warum
was weil wenn wer werden wie wieder wir wird wo wurde wurden zu zum zur zwischen aan deze dit een
het hij ik maar met naar niet ook te uit van voor wat zijn
"""

_CYRILLIC = """
а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до
его ее если есть еще же за здесь и из или им их к как какой когда кто ли либо мне может можно мы
на над надо наш не него нее нет ни них но ну нужно о об один он она они оно от очень по под после
при про раз с сам свой себя со так также такой там то тогда того тоже только том тот ту ты у уже
хотя чего чем что чтобы чье эта эти это этого этой этом этот я і й та що це як не на для або але
від до
"""

_ARABIC = """
في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت يكون تكون لا لم لن ما
ماذا أو او ثم إن ان أن قد كل بعد قبل عند بين حتى إذا اذا لكن بل كما أي اي أيضا ايضا غير منذ حيث
ليس فقط
"""

_OTHER = """
그리고 그러나 하지만 그래서 또는 및 수 것 이 그 저 등 때 때문에
위해 대한 대해 있는 있다 없는 없다 한다 하는 경우 통해
और का के की को है हैं में से पर यह वह एक इस उस कि जो तो ही भी नहीं था थी थे कर लिए साथ
"""

_WEB = "http https www com org html url"

STOP_WORDS = frozenset(
    f"{_ENGLISH} {_ROMANCE} {_GERMANIC} {_CYRILLIC} {_ARABIC} {_OTHER} {_WEB}".split()
)
"""Casefolded words."""

FUNCTION_CHARACTERS = frozenset(
    "的了是在和就也都与及或把被将让对从而但因所以其这那我你他她它们很更最不没有个吗呢吧"
    "はがをにでとのへも"
)
"""Characters with the function of stop words; a pair with one of them is not a keyword."""
